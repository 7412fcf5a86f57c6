import type { DirectoryClient } from '@longwave/client';
import { useWords } from '../words/use-words.ts';
import { directoryIn } from './client.ts';

/** The directory in the listener's language, for what is asked at a click. */
export const useDirectory = (): DirectoryClient => directoryIn(useWords().language);
