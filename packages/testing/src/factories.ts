import { randomInt, randomUUID } from 'node:crypto';

/** Returns a South African mobile number (+27 82, then seven digits) in E.164, valid and very likely unused. */
export function randomPhone(): string {
  return `+2782${String(randomInt(0, 10_000_000)).padStart(7, '0')}`;
}

const firstNames = ['Amahle', 'Ben', 'Chloé', 'Dumisani', 'Elif', 'Farouk', 'Grace', 'Hana', 'Ivo', 'Jabu'];
const lastNames = ['Adams', 'Botha', 'Cele', 'Dlamini', 'Evans', 'Fourie', 'Govender', 'Haddad', 'Ito', 'Jacobs'];

function pick(names: readonly string[]): string {
  return names[randomInt(names.length)] ?? 'Alex';
}

/** Returns a first and a last name. The last name contains random letters, so that a search finds only this user. */
export function randomName(): { firstName: string; lastName: string } {
  const letters = Array.from({ length: 5 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return { firstName: pick(firstNames), lastName: `${pick(lastNames)}${letters}` };
}

/** Returns a message as a client sends it. */
export function messageTo(conversationId: string, content = `Hello ${randomUUID().slice(0, 8)}`) {
  return { conversationId, content, clientMessageId: randomUUID() };
}
