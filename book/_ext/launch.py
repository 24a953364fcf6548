"""The button that opens a chapter at a hosted notebook service, once there is an address.

The theme makes it from the repository's address and the service's, see ``_config.yml``, and fails
when it has only the second.
"""


def _no_button_without_address(app, config):
    if not config.html_theme_options.get("repository_url"):
        config.html_theme_options.pop("launch_buttons", None)


def setup(app):
    """Register the extension with sphinx."""
    app.connect("config-inited", _no_button_without_address)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
