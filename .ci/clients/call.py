"""Prints the datasets, and how many clicks there are before a time, by the generated client."""

import sys

import windrow_client

api, closed = sys.argv[1:]
with windrow_client.ApiClient(windrow_client.Configuration(host=api)) as client:
    names = " ".join(dataset.name for dataset in windrow_client.DatasetsApi(client).datasets().items)
    totals = windrow_client.QueriesApi(client).totals("clicks", to=closed)
    print(names, totals.measures["events"])
