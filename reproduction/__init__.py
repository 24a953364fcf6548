"""How the papers are run again: what the experiments need beside the algorithms of `ofer`."""
