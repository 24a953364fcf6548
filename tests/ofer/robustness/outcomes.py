"""What may become of an estimator under a perturbation, and the reasons that several share."""

HOLDS, NAMED, DEFECT, NOT_HERE = "holds", "named error", "defect", "does not apply"

ABSENT = "there is nothing of this kind to change"
ONE_RIDGE = "a fixed ridge or bandwidth has the units of the data"
MISSING = "entries may be missing"
EQUAL = "values whose squares underflow are equal"
DENSE = "dense data only"
ORIGIN = "the kernel is not invariant to shifts"
UNITS = "the distance of equations (4) and (9) adds blocks of different units"
SIXTH = "the search has sixth powers of deviations, at most 1e50"
SIZES = "columns are of size 1e-75 to 1e75"
STEPS = "a few steps of L-BFGS, whose lengths have the unit of the data"
