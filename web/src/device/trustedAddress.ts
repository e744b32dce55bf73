interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

const policies = new Map<string, ScriptAddressPolicy>();

/**
 * The one address that a part of the app may run as a worker, as the browser wants it told (Trusted Types). The names of
 * the policies stand in the gateway's CSP.
 */
export function trustedAddress(policyName: string, address: string): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return address;
  let policy = policies.get(policyName);
  if (!policy) {
    policy = factory.createPolicy(policyName, {
      createScriptURL(asked) {
        if (asked !== address) throw new TypeError(`Only the worker of ${policyName} may be run.`);
        return asked;
      },
    });
    policies.set(policyName, policy);
  }
  // The types of Worker know only strings; at run time it wants the trusted object itself.
  return policy.createScriptURL(address) as string;
}
