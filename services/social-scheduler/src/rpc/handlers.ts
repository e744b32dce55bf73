import type { RpcHandlers } from '@nolo/kit/rpc';
import type { SocialServiceDefinition } from '@nolo/proto/social';
import {
  beginConnection,
  chooseConnections,
  connectByPassword,
  disconnect,
  finishConnection,
  listPlatforms,
} from './connections.ts';
import type { Dependencies } from './dependencies.ts';
import {
  addPost,
  awaitPost,
  cancelPost,
  countPosts,
  deletePost,
  duplicatePost,
  editPost,
  exportPosts,
  getPost,
  listPostFiles,
  listPosts,
  resolveDelivery,
  retryPost,
} from './posts.ts';

/** Handlers of the SocialService. */
export function createSocialHandlers(dependencies: Dependencies): RpcHandlers<typeof SocialServiceDefinition> {
  return {
    listPlatforms: listPlatforms(dependencies),
    beginConnection: beginConnection(dependencies),
    finishConnection: finishConnection(dependencies),
    connectByPassword: connectByPassword(dependencies),
    chooseConnections: chooseConnections(dependencies),
    disconnect: disconnect(dependencies),
    addPost: addPost(dependencies),
    editPost: editPost(dependencies),
    cancelPost: cancelPost(dependencies),
    retryPost: retryPost(dependencies),
    getPost: getPost(dependencies),
    awaitPost: awaitPost(dependencies),
    duplicatePost: duplicatePost(dependencies),
    deletePost: deletePost(dependencies),
    resolveDelivery: resolveDelivery(dependencies),
    listPosts: listPosts(dependencies),
    countPosts: countPosts(dependencies),
    exportPosts: exportPosts(dependencies),
    listPostFiles: listPostFiles(dependencies),
  };
}
