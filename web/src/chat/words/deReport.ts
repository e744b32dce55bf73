import type { TranslatedCatalogue } from '../../i18n/words.ts';
import type { enReport } from './enReport.ts';

/** German version of enReport.ts. docs/translating.md defines the tone. */
export const deReport = {
  titles: {
    person: '{{name}} melden?',
    message: 'Eine Nachricht von {{name}} melden?',
    group: 'Die Gruppe {{name}} melden?',
    status: 'Ein Status-Update von {{name}} melden?',
  },
  text: 'Deine Meldung geht an die Betreiber dieser Installation. {{name}} erfährt nichts davon.',
  category: 'Worum geht es?',
  categories: {
    spam: 'Spam oder Betrug',
    harassment: 'Beleidigung oder Belästigung',
    violence: 'Drohung oder Gewalt',
    impersonation: 'Gibt sich für jemand anderen aus',
    other: 'Etwas anderes',
  },
  note: 'Was sollen die Betreiber wissen? (optional)',
  handedOver: 'Nachrichten, die mitgesendet werden',
  handedOverHint:
    'Was du hier wählst, liest ein Betreiber Wort für Wort. Dateien und Bilder in Nachrichten gehen nicht mit.',
  statusText: 'Der Text',
  statusTextHint: 'Er geht mit, und ein Betreiber liest ihn Wort für Wort.',
  picture: 'Das Bild',
  pictureHint: 'Eine Kopie geht mit, und ein Betreiber sieht sie. Sie wird mit der Meldung gelöscht.',
  videoStays: 'Das Video geht nicht mit: Kein Betreiber sieht es. Schreib oben, was darin zu sehen ist.',
  nothing: 'Es gehen keine Nachrichten mit.',
  block: '{{name}} auch blockieren',
  send: 'Melden',
  done: 'Gemeldet',
  doneText: 'Die Betreiber sehen es sich an.',
  failed: 'Das konnte nicht gemeldet werden',
} as const satisfies TranslatedCatalogue<typeof enReport>;
