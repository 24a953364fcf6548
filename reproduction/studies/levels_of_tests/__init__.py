"""How often do tests over splits err? Two methods that are equally good."""
