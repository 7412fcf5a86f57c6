import type { DirectoryClient } from '@longwave/client';
import { useWords } from '../i18n/use-words.ts';
import { directoryIn } from './client.ts';

/** The directory in the listener's language, for requests on click. */
export const useDirectory = (): DirectoryClient => directoryIn(useWords().language);
