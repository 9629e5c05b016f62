// The Node.js sample of "Scaling Writes on Amazon DynamoDB Tables with Global Secondary Indexes", repaired so that it
// runs: same libraries (aws-sdk 2, async), same shape (mapLimit over the scattered values, 20 at a time), against this
// table's key names. It reads "run N" lines and answers with the items of the last gather and the microseconds of each.
'use strict';
process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = '1';
const readline = require('readline');
const parallel = require('async');
const aws = require('aws-sdk');

const [endpoint, dataset, from, to, shards, limit, concurrentReads] = process.argv.slice(2);

const dynamoDB = new aws.DynamoDB({
  apiVersion: '2012-08-10',
  region: 'us-east-1',
  endpoint: endpoint,
  credentials: new aws.Credentials('windrow', 'windrow')
});

const range = (start, count) => Array.from({ length: count }, (element, index) => start + index);

const gatherQueryDDB = (index, callback) => {
  const params = {
    TableName: 'windrow',
    IndexName: 'scatter',
    KeyConditionExpression: 'ipk = :index and isk between :from and :to',
    ExpressionAttributeValues: {
      ':index': { S: 'default#' + dataset + '#minute#' + index },
      ':from': { S: from },
      ':to': { S: to }
    },
    Limit: Number(limit)
  };
  dynamoDB.query(params, (err, data) => {
    if (err) {
      callback(err);
    } else {
      callback(null, data.Items);
    }
  });
};

const scatteredValues = range(0, Number(shards));

const gather = () => new Promise((resolve, reject) => {
  parallel.mapLimit(scatteredValues, Number(concurrentReads), gatherQueryDDB, (err, results) => {
    if (err) {
      reject(err);
    } else {
      resolve(results.reduce((sum, items) => sum + items.length, 0));
    }
  });
});

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const latencies = [];
    let items = 0;
    for (let i = 0; i < Number(line.substring(4)); i++) {
      const begin = process.hrtime.bigint();
      items = await gather();
      latencies.push(Number((process.hrtime.bigint() - begin) / 1000n));
    }
    console.log(items + ' ' + latencies.join(' '));
  }
})().catch(failure => {
  console.error(failure);
  process.exit(1);
});
