# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---
# needs: mtr_andro mtr_edm mtr_atp7d mtr_sf1 mtr_oes97 mtr_atp1d mtr_osales mtr_enb mtr_wq mtr_sf2 mtr_scpf usps poser first_impressions maec_volatility nci60

# %% [markdown]
# # How sure?
#

# %% tags=["parameters"]
profile: str = "stored"  # or "quick", "full": see the box above

# %%
from reproduction.engine import results

# %%
table = results("ofer-coverage", profile=profile)
frame = table.frame
print(table.describe())
