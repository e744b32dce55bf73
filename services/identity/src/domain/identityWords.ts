import type { SupportedLanguage } from '@nolo/rules';
import { deWords } from './deWords.ts';
import { enWords } from './enWords.ts';
import type { IdentityWords } from './words.ts';

/** Texts that this service sends to people, by language. */
export const identityWords: Readonly<Record<SupportedLanguage, IdentityWords>> = { en: enWords, de: deWords };
