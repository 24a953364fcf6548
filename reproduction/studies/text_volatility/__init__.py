"""Does a call's text tell the series of volatility after it? Table 6 (section 6.3)."""
