import { html, renderPage, trustedHtml, type Html } from './html.ts';

/**
 * Asks before ending the provider's session, as the standard requires (OpenID Connect RP-Initiated Logout 1.0, section
 * 6: another site may have sent the browser here). If the client proved its identity, the script presses the first
 * button at once, so that logging out of Nolo takes one click.
 *
 * @param form the provider's own form with its hidden proof.
 */
export function signOutPage(form: string, options: { confirmed?: boolean } = {}): Html {
  const body = html`<main class="card">
    <p class="badge">Simulator</p>
    <h1>Log out?</h1>
    <p>This ends your session at the OpenID simulator.</p>
    ${trustedHtml(form)}
    <div class="buttons">
      <button id="confirm" class="primary" type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>
      <button type="submit" form="op.logoutForm">Stay signed in</button>
    </div>
  </main>`;
  return renderPage({ title: 'Log out', body, ...(options.confirmed === true ? { script: 'confirm.js' } : {}) });
}
