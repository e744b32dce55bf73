import { loadPhoneNumbers } from './loadPhoneNumbers.ts';

/**
 * A number as the server takes it, from what was typed in a country; null for what is none. Where the numbers of the
 * world could not be loaded it is what was typed, and the server says whether it is one.
 */
export async function readPhoneNumber(typed: string, country: string | null): Promise<string | null> {
  const numbers = await loadPhoneNumbers();
  return numbers === null ? typed.trim() : (numbers.readTyped(typed, country) ?? null);
}
