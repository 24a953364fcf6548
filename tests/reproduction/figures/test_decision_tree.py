from bs4 import BeautifulSoup

from reproduction.figures.decision_tree import show_decisions


def test_a_tree_ends_in_its_code():
    tree = {"which?": {"a < b": {"and then?": {"yes": "f(1)\ng(2)", "no": "h(3)"}}, "c": "k(4)"}}
    page = BeautifulSoup(show_decisions(tree).data, "html.parser")
    assert [code.text for code in page.find_all("pre")] == ["f(1)\ng(2)", "h(3)", "k(4)"]
    assert [text.text for text in page.find_all("strong")] == ["which?", "and then?"]
    assert page.find("span").text == "a < b"
    inner = page.find(string="and then?").find_parent("ul")
    assert inner.find_parent("li").span.text == "a < b"
