interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

const policies = new Map<string, ScriptAddressPolicy>();

/**
 * Starts the only worker that a part of the app may run. The Trusted Types policy is `nolo-` plus the worker's name, is
 * listed in the gateway's CSP, and allows no other URL.
 */
export function startTrustedWorker(name: string, address: string): Worker {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return new Worker(address, { type: 'module', name });
  const policy =
    policies.get(name) ??
    factory.createPolicy(`nolo-${name}`, {
      createScriptURL(url) {
        if (url !== address) throw new TypeError(`Only the ${name} worker may be loaded.`);
        return url;
      },
    });
  policies.set(name, policy);
  // The types of Worker accept only strings. At run time it needs the trusted object itself.
  return new Worker(policy.createScriptURL(address) as string, { type: 'module', name });
}
