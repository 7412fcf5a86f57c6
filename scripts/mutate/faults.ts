import type { PlantedFault } from './fault.ts';
import { MEMBERS_AND_REPORTS } from './faults/members.ts';
import { NAVIGATION } from './faults/navigation.ts';
import { SOURCES } from './faults/sources.ts';
import { WIRE } from './faults/wire.ts';

export const FAULTS: readonly PlantedFault[] = [...NAVIGATION, ...MEMBERS_AND_REPORTS, ...WIRE, ...SOURCES];
