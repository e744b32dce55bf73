import { toPortableFileName, toWellFormedText } from '@nolo/rules';
import type { ExportLanguage } from './exports.ts';

/** Contents of an archive's first page. */
export interface ArchiveContents {
  readonly language: ExportLanguage;
  readonly madeAt: Date;
  /** Data files with their number of entries. Undefined for a single object. */
  readonly data: readonly { readonly path: string; readonly count: number | undefined }[];
  readonly files: { readonly count: number; readonly bytes: number };
}

export interface ArchivedFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

const words = {
  en: {
    title: 'Your data from Nolo',
    made: 'Made on',
    intro:
      'This archive contains everything stored about your account. Data is in JSON files; each line of a .jsonl file is one entry. The files you sent or received are in the folder “files”.',
    encoded:
      'Message content is included as the server stores it: end-to-end encrypted messages are encrypted here too. To read them, open this archive in Nolo on a device that reads your chats: Settings, Account, “Open an export”. Phone numbers and email addresses of other people are not included, except those you added yourself.',
    data: 'Data',
    file: 'File',
    entries: 'Entries',
    files: 'Files',
    none: 'There are no files.',
    size: 'Size',
  },
  de: {
    title: 'Deine Daten aus Nolo',
    made: 'Erstellt am',
    intro:
      'Dieses Archiv enthält alles, was zu deinem Konto aufbewahrt wird. Die Daten liegen als JSON vor; in einer .jsonl-Datei ist jede Zeile ein Eintrag. Dateien, die du gesendet oder erhalten hast, liegen im Ordner „files“.',
    encoded:
      'Nachrichteninhalte stehen so darin, wie der Server sie hat: Ende-zu-Ende-verschlüsselte sind auch hier verschlüsselt. Um sie zu lesen, öffne dieses Archiv in Nolo auf einem Gerät, das deine Chats liest: Einstellungen, Konto, „Export öffnen“. Telefonnummern und E-Mail-Adressen anderer sind nicht enthalten, außer denen, die du selbst eingetragen hast.',
    data: 'Daten',
    file: 'Datei',
    entries: 'Einträge',
    files: 'Dateien',
    none: 'Es gibt keine Dateien.',
    size: 'Größe',
  },
} as const;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1c1b1a;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.4rem .5rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
td:last-child,th:last-child{text-align:end;white-space:nowrap}a{color:#0b6b4c}
@media (prefers-color-scheme:dark){body{color:#eee;background:#181715}th,td{border-color:#444}a{color:#4fd6a8}}`;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Encodes each segment of a path, which may contain anything that a name may. */
const addressOf = (path: string) => escapeHtml(toWellFormedText(path).split('/').map(encodeURIComponent).join('/'));

const link = (path: string, name: string) => `<a href="${addressOf(path)}"><bdi>${escapeHtml(name)}</bdi></a>`;

function bytesIn(language: ExportLanguage, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const format = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1_000 ** step);
}

/** Renders a page that works from a folder, offline and without scripts; its files arrive one by one. */
export async function* archivePage(
  contents: ArchiveContents,
  files: AsyncIterable<ArchivedFile>,
): AsyncGenerator<string> {
  const { language, madeAt, data } = contents;
  const texts = words[language];
  const count = new Intl.NumberFormat(language);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  yield `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${texts.title}</title>
<style>${style}</style>
</head>
<body>
<h1>${texts.title}</h1>
<p>${texts.made} ${date.format(madeAt)} UTC</p>
<p>${texts.intro}</p>
<p>${texts.encoded}</p>
<h2>${texts.data}</h2>
<table>
<thead><tr><th scope="col">${texts.file}</th><th scope="col">${texts.entries}</th></tr></thead>
<tbody>
`;
  for (const { path, count: entries } of data) {
    yield `<tr><td>${link(path, path)}</td><td>${entries === undefined ? '' : count.format(entries)}</td></tr>\n`;
  }
  yield `</tbody>\n</table>\n<h2>${texts.files}</h2>\n`;
  if (contents.files.count === 0) yield `<p>${texts.none}</p>\n`;
  else {
    yield `<p>${count.format(contents.files.count)} · ${bytesIn(language, contents.files.bytes)}</p>
<table>
<thead><tr><th scope="col">${texts.file}</th><th scope="col">${texts.size}</th></tr></thead>
<tbody>
`;
    for await (const { path, name, size } of files) {
      yield `<tr><td>${link(path, name)}</td><td>${bytesIn(language, size)}</td></tr>\n`;
    }
    yield '</tbody>\n</table>\n';
  }
  yield '</body>\n</html>\n';
}

/** Returns the path of a file in the archive: unique, and valid on every system. */
export function pathOfFile({ id, name }: { readonly id: string; readonly name: string }): string {
  const portable = toPortableFileName(name);
  return `files/${id}${portable ? `-${portable}` : ''}`;
}
