import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { supportedLanguages, type ReaderLocale, type SupportedLanguage } from '@nolo/rules';
import { toReaderLocale, type LocaleSettings } from '../domain/readers.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';

const columns = { language: 'u.language', deviceLanguage: 'u.device_language', timeZone: 'u.time_zone' };

/** Returns the language and time zone for messages to the owner of an account. */
export async function loadReaderLocale(db: Knex, userId: UserId): Promise<ReaderLocale> {
  const row: LocaleSettings | undefined = await db('users as u').where('u.id', userId).first(columns);
  return toReaderLocale(row ?? { language: null, deviceLanguage: null, timeZone: null });
}

/** Returns the language chosen by the account behind a number. Undefined if it chose none or does not exist. */
export async function findLanguageByPhone(db: Knex, phoneNumber: string): Promise<SupportedLanguage | undefined> {
  const row: Pick<LocaleSettings, 'language'> | undefined = await db('users as u')
    .join('user_phones as p', 'p.user_id', 'u.id')
    .whereIn('p.phone_number', listStoredForms(phoneNumber))
    .first('u.language');
  return supportedLanguages.find((known) => known === row?.language);
}

/** Stores the language of the current device. Keeps the known one if the device did not report any. */
export async function recordDeviceLanguage(
  db: Knex,
  userId: UserId,
  language: SupportedLanguage | undefined,
): Promise<void> {
  if (language !== undefined) await db('users').where({ id: userId }).update({ device_language: language });
}
