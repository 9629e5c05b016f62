// The Node.js sample of "Scaling Writes on Amazon DynamoDB Tables with Global Secondary Indexes", with this table's key
// names, as its authors would write it today: SDK 3, connections kept alive, one for each read. It reads "run GATHERS CLIENTS"
// lines and answers with the microseconds of each gather.
'use strict';
const readline = require('readline');
const parallel = require('async');

const [endpoint, dataset, from, to, shards, limit, concurrentReads] = process.argv.slice(2);
const region = 'us-east-1';

const params = index => ({
  TableName: 'windrow',
  IndexName: 'scatter',
  KeyConditionExpression: 'ipk = :index and isk between :from and :to',
  ExpressionAttributeValues: {
    ':index': { S: 'default#' + dataset + '#minute#' + index },
    ':from': { S: from },
    ':to': { S: to }
  },
  Limit: Number(limit)
});

const fanOut = () => {
  const { DynamoDB } = require('@aws-sdk/client-dynamodb');
  const { NodeHttpHandler } = require('@smithy/node-http-handler');
  const { Agent } = require('http');
  const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrentReads) });
  const dynamoDB = new DynamoDB({
    region,
    endpoint,
    credentials: { accessKeyId: 'windrow', secretAccessKey: 'windrow' },
    requestHandler: new NodeHttpHandler({ httpAgent: agent })
  });
  return (index, callback) => dynamoDB.query(params(index)).then(data => callback(null, data.Items), callback);
};

const query = fanOut();
const scatteredValues = Array.from({ length: Number(shards) }, (element, index) => index);

const gather = () => new Promise((resolve, reject) => {
  parallel.mapLimit(scatteredValues, Number(concurrentReads), query, (err, results) => {
    if (err) {
      reject(err);
    } else {
      resolve(results.reduce((sum, items) => sum + items.length, 0));
    }
  });
});

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [gathers, clients] = line.split(' ').slice(1).map(Number);
    const latencies = [];
    const client = async () => {
      for (let i = 0; i < Math.floor(gathers / clients); i++) {
        const begin = process.hrtime.bigint();
        if ((await gather()) === 0) {
          throw new Error('no items');
        }
        latencies.push(Number((process.hrtime.bigint() - begin) / 1000n));
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    console.log(latencies.join(' '));
  }
})().catch(failure => {
  console.error(failure);
  process.exit(1);
});
