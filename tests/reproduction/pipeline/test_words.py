"""What counts as a word of a page, and what as open."""

from reproduction.pipeline.words import count_words

PAGE = """<nav>not read</nav><article><h1>One</h1><p>two <span class="math">\\(a+b\\)</span></p>
<pre>not read</pre><details><summary>four</summary>five <details open><summary>six</summary>seven
</details></details><div class="admonition dropdown"><p class="admonition-title">eight</p>
<p>nine <!-- not read --></p></div><details open><summary>ten</summary>eleven</details></article>"""


def test_words_are_open_or_folded():
    assert count_words(PAGE) == (7, 4)
    assert count_words("<p>no article</p>") == (0, 0)
