import type { enRoomCode } from './enRoomCode.ts';
import type { TranslatedCatalogue } from './words.ts';

/** German version of enRoomCode.ts. docs/translating.md defines the tone. */
export const deRoomCode = {
  code: 'Raumcode',
  copyLink: 'Link kopieren',
  copyCode: 'Code kopieren',
  codeCopied: 'Raumcode kopiert',
  invitation: 'Komm zu {{name}} auf Nolo. Raumcode: {{code}}',
  done: 'Fertig',
  until: 'Gilt bis {{time}}',
  forever: 'Gilt, bis er geändert wird',
  validity: 'Gültigkeit',
  validities: { forever: 'Unbegrenzt', day: '1 Tag', week: '7 Tage', month: '30 Tage' },
  rotate: 'Neuer Code',
  rotateTitle: 'Raumcode ändern?',
  rotated: 'Der Raumcode ist jetzt {{code}}',
  expire: 'Code beenden',
  expireTitle: 'Raumcode beenden?',
  expired: 'Der Raumcode gilt nicht mehr',
  failed: 'Raumcode konnte nicht geändert werden',
} as const satisfies TranslatedCatalogue<typeof enRoomCode>;
