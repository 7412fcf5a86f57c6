/** What probing is measured against: the farm's stations connected to and read in one process with nothing around it. */
import { readBare } from './bare-read.ts';
import { passOnDemand } from './pass.ts';

passOnDemand(readBare);
