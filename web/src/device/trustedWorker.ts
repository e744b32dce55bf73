interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

const policies = new Map<string, ScriptAddressPolicy>();

/**
 * Starts the one worker that a part of the app may run. The Trusted Types policy is named `nolo-` and the worker's name,
 * which stands in the gateway's CSP, and lets no other address pass.
 */
export function trustedWorker(name: string, address: string): Worker {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return new Worker(address, { type: 'module', name });
  const policy =
    policies.get(name) ??
    factory.createPolicy(`nolo-${name}`, {
      createScriptURL(asked) {
        if (asked !== address) throw new TypeError(`Only the worker of ${name} may be run.`);
        return asked;
      },
    });
  policies.set(name, policy);
  // The types of Worker know only strings; at run time it wants the trusted object itself.
  return new Worker(policy.createScriptURL(address) as string, { type: 'module', name });
}
