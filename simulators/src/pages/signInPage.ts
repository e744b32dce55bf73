import type { SimulatedPerson } from '../oidc/people.ts';
import { html, renderPage, type Html } from './html.ts';

export interface TypedValues {
  name: string;
  email: string;
  nameError?: string | undefined;
  emailError?: string | undefined;
}

interface Field {
  name: 'name' | 'email';
  label: string;
  type: string;
  autocomplete: string;
  value: string;
  error: string | undefined;
}

function field({ name, label, type, autocomplete, value, error }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value}"
      ${error !== undefined && html`aria-invalid="true" aria-describedby="${name}-error" autofocus`}
    />
    ${error !== undefined && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
  </div>`;
}

function personButton(person: SimulatedPerson): Html {
  const initials = `${person.givenName.charAt(0)}${person.familyName.charAt(0)}`;
  return html`<li>
    <button class="person" type="submit" name="person" value="${person.sub}">
      <span class="initials" aria-hidden="true">${initials}</span>
      <span class="who">
        <span class="name">${person.givenName} ${person.familyName}</span>
        <span class="address">${person.email}</span>
      </span>
    </button>
  </li>`;
}

/** Renders the choice of an identity: pick someone, or type a name and an email address. */
export function signInPage({ people, typed }: { people: readonly SimulatedPerson[]; typed: TypedValues }): Html {
  const failed = typed.nameError !== undefined || typed.emailError !== undefined;
  const body = html`<main class="card">
    <p class="badge">Simulator</p>
    <h1>Sign in to Nolo</h1>
    <p>
      This page stands in for a real sign-in provider. There is no password: pick one of the example people, or make up
      your own.
    </p>
    <form method="post">
      <h2 id="people">Example people</h2>
      <ul class="people" aria-labelledby="people">
        ${people.map(personButton)}
      </ul>
    </form>
    <form method="post" novalidate>
      <h2>Someone else</h2>
      ${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: typed.name, error: typed.nameError })}
      ${field({
        name: 'email',
        label: 'Email',
        type: 'email',
        autocomplete: 'email',
        value: typed.email,
        error: typed.emailError,
      })}
      <div class="buttons">
        <button class="primary" type="submit" name="action" value="continue">Continue</button>
        <button type="submit" name="action" value="cancel">Cancel</button>
      </div>
    </form>
  </main>`;
  return renderPage({ title: failed ? 'Error: Sign in' : 'Sign in', body });
}
