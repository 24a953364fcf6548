# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   ofer:
#     data: [ranking_iris]
#     tables: [ranking-benchmark]
# ---

# %% [markdown]
# # After the paper: rankings as outputs

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see "The protocol"

# %%
from reproduction.engine import results

table = results("ranking-benchmark", profile=profile)
