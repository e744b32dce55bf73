import type { RpcHandlers } from '@nolo/kit/rpc';
import type { CallServiceDefinition } from '@nolo/proto/calls';
import {
  answerCall,
  declineCall,
  endCall,
  getCall,
  getCallPreferences,
  getIceServers,
  initiateCall,
  inviteToCall,
  listCalls,
  signal,
  updateCall,
  updateCallPreferences,
} from './calls.ts';
import type { Dependencies } from './dependencies.ts';

export function createCallHandlers(dependencies: Dependencies): RpcHandlers<typeof CallServiceDefinition> {
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
