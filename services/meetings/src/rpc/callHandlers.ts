import type { RpcHandlers } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { answerCall } from './answerCall.ts';
import { declineCall } from './declineCall.ts';
import type { Dependencies } from './dependencies.ts';
import { endCall } from './endCall.ts';
import { getCall } from './getCall.ts';
import { getCallPreferences } from './getCallPreferences.ts';
import { getIceServers } from './getIceServers.ts';
import { initiateCall } from './initiateCall.ts';
import { inviteToCall } from './inviteToCall.ts';
import { listCalls } from './listCalls.ts';
import { signal } from './signal.ts';
import { updateCall } from './updateCall.ts';
import { updateCallPreferences } from './updateCallPreferences.ts';

export function callHandlers(dependencies: Dependencies): RpcHandlers<typeof CallServiceService> {
  return {
    answerCall: answerCall(dependencies),
    declineCall: declineCall(dependencies),
    endCall: endCall(dependencies),
    getCall: getCall(dependencies),
    getCallPreferences: getCallPreferences(dependencies),
    getIceServers: getIceServers(dependencies),
    initiateCall: initiateCall(dependencies),
    inviteToCall: inviteToCall(dependencies),
    listCalls: listCalls(dependencies),
    signal: signal(dependencies),
    updateCall: updateCall(dependencies),
    updateCallPreferences: updateCallPreferences(dependencies),
  };
}
