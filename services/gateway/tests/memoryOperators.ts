import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { OperatorServiceService } from '@nolo/proto/operators';

/** The part of identity that knows operators, as far as the gateway can tell: nobody is one. */
export function memoryOperators() {
  const refuse = () => Promise.reject(fail('forbidden', 'not_operator', 'Only operators may do this.'));
  return rpcService(OperatorServiceService, {
    checkOperator: refuse,
    findAccounts: refuse,
    suspendAccount: refuse,
    liftSuspension: refuse,
    signOutAccount: refuse,
    eraseAccount: refuse,
    listActs: refuse,
    recordAct: refuse,
    verifyActs: refuse,
  });
}
