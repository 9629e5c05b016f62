// Prints the datasets, and how many clicks there are before a time, by the generated client.
import { Configuration, DatasetsApi, QueriesApi } from './index';

declare const process: { argv: string[] };

async function call(api: string, closed: string): Promise<void> {
  const configuration = new Configuration({ basePath: api });
  const datasets = await new DatasetsApi(configuration).datasets();
  const totals = await new QueriesApi(configuration).totals({ dataset: 'clicks', to: closed });
  console.log(`${datasets.items.map((dataset) => dataset.name).join(' ')} ${totals.measures['events']}`);
}

void call(process.argv[2], process.argv[3]);
