import { listPrivacyChoices } from '@nolo/rules';

/** Returns the column of `users` that holds a field: `first_name` for `firstName`. */
export const toColumnName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of the privacy choices of `users u`, under the names of the choices. */
export const privacyColumns = listPrivacyChoices('identity')
  .map((field) => `u.${toColumnName(field)} as "${field}"`)
  .join(', ');
