import { createHash } from 'node:crypto';
import { z } from 'zod';

export interface SimulatedPerson {
  /** Derived from the email address, so that the same address is the same account after a restart too. */
  sub: string;
  email: string;
  givenName: string;
  familyName: string;
}

/** Values typed into the form. */
export const personForm = z.object({
  name: z.string().trim().min(1, 'Please enter a name.').max(100, 'Please enter at most 100 characters.'),
  email: z
    .string()
    .trim()
    .min(1, 'Please enter an email address.')
    .max(254, 'Please enter at most 254 characters.')
    .pipe(z.email('Please enter an email address, such as ada@example.com.')),
});

/** `example.com` belongs to nobody (RFC 2606), so no email to these people can reach a stranger. */
const examples = [
  ['Ada', 'Lovelace', 'ada@example.com'],
  ['Grace', 'Hopper', 'grace@example.com'],
  ['Alan', 'Turing', 'alan@example.com'],
  ['Zoë', 'Müller-Lüdenscheidt', 'zoe@example.com'],
] as const;

function subjectOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}

export interface SimulatedPeople {
  readonly examples: readonly SimulatedPerson[];
  /** Adds a person or updates the name of a known one, and returns the account. */
  remember(name: string, email: string): SimulatedPerson;
  bySubject(sub: string): SimulatedPerson | undefined;
}

/** Maximum number of typed-in people; the oldest are evicted first. */
const capacity = 10_000;

export function createSimulatedPeople(): SimulatedPeople {
  const fixed = examples.map(([givenName, familyName, email]) => ({
    sub: subjectOf(email),
    email,
    givenName,
    familyName,
  }));
  const typed = new Map<string, SimulatedPerson>();
  return {
    examples: fixed,
    remember: (name, email) => {
      const [givenName = '', ...rest] = name.split(/\s+/);
      const person = { sub: subjectOf(email), email: email.toLowerCase(), givenName, familyName: rest.join(' ') };
      typed.delete(person.sub);
      typed.set(person.sub, person);
      const oldest = typed.keys().next().value;
      if (typed.size > capacity && oldest !== undefined) typed.delete(oldest);
      return person;
    },
    bySubject: (sub) => typed.get(sub) ?? fixed.find((person) => person.sub === sub),
  };
}
