/** Nolo without a screen, for everyone but the web app, which binds the parts to its page. See README.md. */
export { routes } from '@nolo/api';
export { foldText } from '@nolo/rules';
export type { Conversation, Message, Self, User } from '@nolo/api';
export { createClient, type Client, type ClientOptions } from './createClient.ts';
export type { Chats, ChatsOptions } from './chat/openChats.ts';
export type { AccountStorage } from './chat/ports.ts';
export type { CallOptions, ResultPage } from './http/httpClient.ts';
export type { DeviceKeyStorage } from './keys/ports.ts';
export type { Keys, KeysState } from './keys/types.ts';
export { ApiError } from './http/request.ts';
export { SocketError, type SocketConnection } from './socket/socketRequests.ts';
export type { ConnectSocket } from './socket/webSocket.ts';
