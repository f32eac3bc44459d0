"""Sums a FOCUS CSV by (provider, currency) with Python's own csv and decimal: an oracle.

Usage: focus_sums.py FILE -> {"AWS|USD": {"rows": 942, "billed": "...", "effective": "..."}}
"""
import csv
import decimal
import json
import sys

decimal.getcontext().prec = 100
decimal.getcontext().traps[decimal.Inexact] = True
sums = {}
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    for row in csv.DictReader(file):
        key = row["ProviderName"] + "|" + row["BillingCurrency"]
        total = sums.setdefault(key, {"rows": 0, "billed": 0, "effective": 0})
        total["rows"] += 1
        total["billed"] += decimal.Decimal(row["BilledCost"])
        total["effective"] += decimal.Decimal(row["EffectiveCost"])
for total in sums.values():
    for name in ("billed", "effective"):
        text = format(total[name], "f")
        total[name] = (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
print(json.dumps(sums, sort_keys=True))
