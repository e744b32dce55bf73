import type { SupportedLanguage } from '@nolo/rules';
import { deWords } from './deWords.ts';
import { enWords } from './enWords.ts';
import type { BillingWords } from './words.ts';

/** Texts of this service for people, by language. */
export const billingWords: Readonly<Record<SupportedLanguage, BillingWords>> = { en: enWords, de: deWords };
