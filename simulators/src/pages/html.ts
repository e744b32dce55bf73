/** Markup that is safe to send as it is. Created by the `html` tag or `trustedHtml`. */
export interface Html {
  readonly text: string;
}

export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  if (typeof value === 'object') return (value as Html).text;
  return String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** Builds markup from a template. Escapes its values, except for markup from the same tag. */
export function html(literals: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return {
    text: literals.map((literal, index) => (index === 0 ? literal : render(values[index - 1]) + literal)).join(''),
  };
}

/** Wraps markup that a library has already escaped. */
export function trustedHtml(text: string): Html {
  return { text };
}

export function renderPage(options: { title: string; body: Html; script?: string }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${options.title} · Nolo simulator</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/simulators.css" />
        ${options.script !== undefined && html`<script src="/assets/${options.script}" defer></script>`}
      </head>
      <body>
        ${options.body}
      </body>
    </html> `;
}
