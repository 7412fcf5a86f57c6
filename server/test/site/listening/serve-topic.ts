/** Serves one file under every address, in whatever part of it is asked for, as hosts of topics do. */
import { createServer } from 'node:http';
import { sendPart } from './send-part.ts';

const [, , file = '', address = ''] = process.argv;

createServer((request, response) => sendPart(file, request, response)).listen(80, address, () =>
  console.log('open'),
);
