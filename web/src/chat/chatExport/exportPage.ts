import { toWellFormedText } from '@nolo/rules';

/** Message as shown to people. Texts are unescaped. */
export interface ExportPageMessage {
  /** Anchor of the message on the page. */
  seq: number;
  day: string;
  time: string;
  name: string;
  own: boolean;
  /** True for an event rather than a message. */
  isSystemMessage: boolean;
  text: string;
  /** Author and `seq` of the message it replies to. */
  answers: { seq: number; name: string } | null;
  file: { label: string; path: string | null; picture: boolean } | null;
  /** Reactions and their people, in one line. */
  reactions: string;
  /** Labels such as "edited". */
  labels: string;
}

export interface ExportPageHead {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string;
  lead: string;
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
/** Isolates a name, so that it cannot change the direction of the surrounding text. */
const named = (text: string): string => (text === '' ? '' : `<bdi>${escaped(text)}</bdi>`);

const style = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.4rem; margin: 0 } h2 { font-size: .85rem; opacity: .7; text-align: center; margin: 2rem 0 1rem }
.lead, .at, .note { opacity: .7 } .lead { margin: .3rem 0 2rem }
article { margin: .5rem 0; padding: .5rem .8rem; border-radius: 1rem; background: #8881; max-width: 34rem; width: fit-content }
article.own { background: #1db58426; margin-inline-start: auto }
.at { font-size: .8rem } .note { text-align: center; font-size: .85rem; margin: .6rem 0 }
p { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere } img { max-width: 100%; border-radius: .6rem }
`;

export function renderExportPageStart({ language, direction, title, lead }: ExportPageHead): string {
  // The page runs no code and requests nothing from anywhere else.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:";
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><h1 dir="auto">${escaped(title)}</h1><p class="lead">${escaped(lead)}</p>
`;
}

/** Encodes each segment of a path, which may contain anything that a name may. */
const addressOf = (path: string): string => toWellFormedText(path).split('/').map(encodeURIComponent).join('/');

/** Renders a line that leads to another page of the archive. */
export const renderExportLink = (path: string, label: string): string =>
  `<p><a href="${addressOf(path)}">${named(label)}</a></p>\n`;

function fileOf({ label, path, picture }: NonNullable<ExportPageMessage['file']>): string {
  if (path === null) return `<p>${named(label)}</p>`;
  const address = addressOf(path);
  const shown = picture ? `<img loading="lazy" src="${address}" alt="${escaped(label)}">` : named(label);
  return `<p><a href="${address}">${shown}</a></p>`;
}

/** Renders a message. @param day of the previous message, so that each day appears once */
export function renderExportMessage(message: ExportPageMessage, day: string | undefined): string {
  const heading = message.day === day ? '' : `<h2>${escaped(message.day)}</h2>\n`;
  if (message.isSystemMessage) return `${heading}<p class="note" id="m${message.seq}">${escaped(message.text)}</p>\n`;
  const { answers, file, reactions, labels } = message;
  const about = [named(message.name), escaped(message.time), escaped(labels)]
    .filter((value) => value !== '')
    .join(' · ');
  return `${heading}<article id="m${message.seq}"${message.own ? ' class="own"' : ''}>
<p class="at">${about}</p>
${answers ? `<p class="at"><a href="#m${answers.seq}">↩ ${named(answers.name)}</a></p>\n` : ''}${file ? `${fileOf(file)}\n` : ''}${
    message.text === '' ? '' : `<p dir="auto">${escaped(message.text)}</p>\n`
  }${reactions === '' ? '' : `<p class="at">${escaped(reactions)}</p>\n`}</article>
`;
}

export const exportPageEnd = '</body></html>\n';
