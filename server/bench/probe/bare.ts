/** The baseline of probing: connects to the farm's stations and reads in one process with nothing around it. */
import { readBare } from './bare-read.ts';
import { passOnDemand } from './pass.ts';

passOnDemand(readBare);
