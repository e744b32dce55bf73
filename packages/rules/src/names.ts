/** A person's name as shown: first and last name, whichever exist. */
export function fullName(firstName: string, lastName: string): string {
  return `${firstName} ${lastName}`.trim();
}
