"""What the numbers of the stored tables of Fisher kernel learning can be."""

from reproduction.engine.columns import Number

COLUMNS = {
    "1-NN": Number(0, 100),
    "Bayes": Number(0, 100),
    "LMNN": Number(0, 100),
    "SVM": Number(0, 100),
    "softmax": Number(0, 100),
    "softmax, training": Number(0, 100),
    "objective": Number(0, 1),
    "test objective": Number(0, 1),
    "start": Number(0, 1),
    "mean of all": Number(),
    "mean of a class": Number(),
    "single object": Number(),
    "median over largest": Number(0, 1),
    "length and likelihood": Number(-1, 1),
    "length and likelihood a node": Number(-1, 1),
    "falls": Number(0, 1),
    "gradient norm": Number(0),
    "iterations": Number(0, whole=True),
}
