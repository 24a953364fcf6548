"""Questions that a page checks: ``_static/ask`` puts a field or choices and a button under each.

```{ask}
:answer: 14, 444
What is asked, and a dropdown with the answer and its reason.
```

The answer is a list of numbers, or with ``:choices: one | another`` the number of the right choice.
Without a script the question and its dropdown stay as they are.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from markupsafe import escape
from sphinx.util.docutils import SphinxDirective


class Ask(SphinxDirective):
    """A question whose answer is a number, some numbers, or a choice."""

    has_content = True
    option_spec: ClassVar = {
        "answer": directives.unchanged_required,
        "choices": directives.unchanged,
    }

    def run(self):
        """Put what is asked between tags that hold the answer."""
        told = "".join(f' data-{name}="{escape(text)}"' for name, text in self.options.items())
        inner = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, inner)
        opening = nodes.raw("", f'<div class="ask"{told}>', format="html")
        return [opening, *inner.children, nodes.raw("", "</div>", format="html")]


def setup(app):
    """Register the extension with sphinx."""
    app.add_directive("ask", Ask)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
