import type { enPasskeys } from './enPasskeys.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German translation of enPasskeys.ts; docs/translating.md describes its style. */
export const dePasskeys = {
  use: 'Mit Passkey anmelden',
  confirm: 'Mit Passkey bestätigen',
  add: 'Passkey hinzufügen',
  addText:
    'Meldet dich mit Fingerabdruck, Gesicht oder PIN deines Geräts an oder mit einem Sicherheitsschlüssel. Nolo bekommt nichts, womit sich jemand anders anmelden könnte.',
  name: 'Name',
  nameHint: 'Daran erkennst du ihn in der Liste.',
  nameMissing: 'Gib dem Passkey einen Namen.',
  renameTitle: 'Name des Passkeys',
  create: 'Passkey erstellen',
  added: 'Passkey hinzugefügt',
  addedText: 'Alle deine Geräte erfahren davon.',
  renamed: 'Name gesichert',
  errors: {
    cancelled: 'Es wurde nichts bestätigt. Versuche es noch einmal oder nimm einen anderen Weg.',
    known: 'Dieses Gerät hat schon einen Passkey von dir.',
    unsupported: 'Dieser Browser oder dieses Gerät kann keine Passkeys aufbewahren.',
    failed: 'Das hat nicht geklappt. Bitte versuche es noch einmal.',
  },
} as const satisfies TranslatedCatalogue<typeof enPasskeys>;
