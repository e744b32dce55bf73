import { randomInt, randomUUID } from 'node:crypto';

/** A South African mobile number (+27 82, then seven digits) in E.164, valid and very likely unused. */
export function randomPhone(): string {
  return `+2782${String(randomInt(0, 10_000_000)).padStart(7, '0')}`;
}

const firstNames = ['Amahle', 'Ben', 'Chloé', 'Dumisani', 'Elif', 'Farouk', 'Grace', 'Hana', 'Ivo', 'Jabu'];
const lastNames = ['Adams', 'Botha', 'Cele', 'Dlamini', 'Evans', 'Fourie', 'Govender', 'Haddad', 'Ito', 'Jacobs'];

function pick(names: readonly string[]): string {
  return names[randomInt(names.length)] ?? 'Alex';
}

/** A first and a last name; the last carries a few letters, so that a search finds this one person. */
export function randomName(): { firstName: string; lastName: string } {
  const letters = Array.from({ length: 5 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return { firstName: pick(firstNames), lastName: `${pick(lastNames)}${letters}` };
}

/** A message as a client sends it. */
export function messageTo(conversationId: string, content = `Hello ${randomUUID().slice(0, 8)}`) {
  return { conversationId, content, clientMessageId: randomUUID() };
}
