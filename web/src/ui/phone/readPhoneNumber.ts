import { loadPhoneNumberModule } from './loadPhoneNumberModule.ts';

/**
 * Converts input to the server's format. Resolves to null if it is invalid. If the phone number data failed to load,
 * returns the input, and the server validates it.
 */
export async function readPhoneNumber(typed: string, country: string | null): Promise<string | null> {
  const numbers = await loadPhoneNumberModule();
  return numbers === null ? typed.trim() : (numbers.readTyped(typed, country) ?? null);
}
