import type { WrittenLanguage } from '@nolo/rules';
import { deWords } from './deWords.ts';
import { enWords } from './enWords.ts';
import type { IdentityWords } from './words.ts';

/** What this service writes to people, by language. */
export const identityWords: Readonly<Record<WrittenLanguage, IdentityWords>> = { en: enWords, de: deWords };
