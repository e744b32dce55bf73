import { html, renderPage, type Html } from './html.ts';

/** Renders a page that only shows a message. */
export function messagePage(title: string, text: string, detail?: string): Html {
  const body = html`<main class="card">
    <p class="badge">Simulator</p>
    <h1>${title}</h1>
    <p>${text}</p>
    ${detail !== undefined && detail !== '' && html`<p class="detail">${detail}</p>`}
  </main>`;
  return renderPage({ title, body });
}
