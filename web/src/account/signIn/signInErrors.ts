/** Reasons why a provider sign-in failed, as the gateway puts them into `/?sign_in_error=`. */
const anyway = ['cancelled', 'expired', 'unavailable', 'limited', 'failed'] as const;
export const signInErrors = [...anyway, 'suspended', 'registration_closed', 'registration_invited'] as const;

/** Reasons in `/profile?link_error=`. */
export const providerLinkErrors = [
  ...anyway,
  'provider_taken',
  'identity_limit',
  'proof_required',
  'signed_out',
] as const;
export type ProviderLinkError = (typeof providerLinkErrors)[number];

/** Reads the reason from a query string; unknown values become `failed`. */
export function readErrorReason<Reason extends string>(
  search: string,
  parameter: string,
  known: readonly Reason[],
): Reason | 'failed' | null {
  const given = new URLSearchParams(search).get(parameter);
  if (given === null) return null;
  return known.find((reason) => reason === given) ?? 'failed';
}

/** Returns the address without a parameter that has been read. */
export function withoutParameter(address: { pathname: string; search: string; hash: string }, name: string): string {
  const parameters = new URLSearchParams(address.search);
  parameters.delete(name);
  return `${address.pathname}${parameters.size > 0 ? `?${parameters}` : ''}${address.hash}`;
}
