import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { PasskeyServiceService } from '@nolo/proto/passkeys';

/** The part of identity that knows passkeys, as far as the gateway can tell: it has none, and takes none. */
export function memoryPasskeys() {
  const refuse = async () => {
    throw fail('invalid', 'passkey_refused', 'This passkey does not open an account here.');
  };
  const service = rpcService(PasskeyServiceService, {
    beginPasskey: async () => ({ options: '{"challenge":"AA"}' }),
    addPasskey: refuse,
    async renamePasskey() {
      throw fail('not_found', 'identity_not_found', 'This way to sign in was not found.');
    },
    beginPasskeySignIn: async () => ({ options: '{"challenge":"AA"}' }),
    signInWithPasskey: refuse,
  });
  return { service };
}
