import type { FaultCode } from '../../services/kit/fault.ts';

/**
 * What happened and what to do, in French, for every code that the server answers with. The server's own sentences are English and
 * say it more exactly, so English needs none.
 */
export const faultsInFrench: Record<FaultCode, string> = {
  invalid_request: 'La demande n’est pas valable. Corrigez ce qui est signalé, puis renvoyez-la.',
  invalid_proposal:
    'La proposition n’est pas valable. Corrigez ce qui est signalé, puis enregistrez-la de nouveau.',
  unauthenticated: 'Votre session est terminée. Reconnectez-vous avec un nouveau lien de connexion.',
  sign_in_failed: 'Ce lien de connexion n’est pas valable. Demandez-en un nouveau à un propriétaire.',
  forbidden: 'Vous n’avez pas le droit de faire cela. Demandez-le à un propriétaire.',
  foreign_host:
    'Le serveur ne répond pas sous cette adresse. Ouvrez Control Center à son adresse habituelle.',
  foreign_origin: 'La demande vient d’une autre page. Refaites-la depuis Control Center.',
  people_only: 'Seule une personne peut décider cela. Connectez-vous en tant que membre.',
  not_found: 'Cela n’existe pas ou plus. Revenez à la liste et choisissez autre chose.',
  method_not_allowed: 'Le serveur ne connaît pas cette action. Rechargez la page.',
  conflict: 'Cela ne va pas avec l’état actuel. Regardez ce qui a changé, puis recommencez.',
  already_decided: 'La décision est déjà prise ; la vôtre n’a rien changé.',
  stale_revision:
    'Une autre personne a modifié cela entre-temps. Comparez les deux versions, puis recommencez.',
  wrong_status: 'Ce n’est plus possible dans l’état actuel. Regardez où cela en est.',
  too_soon: 'C’est trop tôt. Attendez un peu, puis réessayez.',
  too_many_requests: 'Trop de demandes à la fois. Attendez quelques secondes, puis réessayez.',
  too_large: 'C’est trop volumineux. Envoyez moins à la fois.',
  cancelled: 'Cela a été annulé. Recommencez si c’est encore utile.',
  tree_limit:
    'La limite d’exécutions imbriquées est atteinte. Attendez que l’une se termine, ou arrêtez-en une.',
  delegation_refused: 'Ce travail ne peut pas être confié à cet agent. Choisissez-en un autre.',
  timeout: 'La réponse a trop tardé. Réessayez.',
  unavailable: 'Un service est indisponible pour le moment. Réessayez dans un instant.',
  internal: 'Le serveur a rencontré une erreur. Réessayez ; si cela recommence, consultez son journal.',
  disk_full: 'Le disque du serveur est plein. Libérez de la place, puis réessayez.',
  database_corrupt: 'La base de données du serveur est endommagée. Restaurez une sauvegarde.',
  database_busy: 'La base de données est occupée. Réessayez dans un instant.',
  database_newer: 'Les données viennent d’une version plus récente. Mettez le serveur à jour.',
  migration_changed: 'Une migration déjà appliquée a changé. Réinstallez la version d’origine du serveur.',
  invalid_configuration: 'La configuration du serveur n’est pas valable. Corrigez le réglage signalé.',
  data_in_use: 'Un autre serveur utilise ces données. Arrêtez-le, puis réessayez.',
  port_in_use: 'Le port du serveur est déjà pris. Choisissez-en un autre.',
  not_a_repository: 'Ce chemin n’est pas un dépôt git. Donnez celui d’un dépôt sur le serveur.',
  path_outside_worktree: 'Ce chemin sort du dossier de travail. Donnez-en un qui s’y trouve.',
  file_not_found: 'Ce fichier n’existe pas. Vérifiez son chemin.',
  no_match: 'Le texte cherché n’est pas dans le fichier. Relisez le fichier.',
  ambiguous_match: 'Le texte cherché se trouve à plusieurs endroits. Donnez-en un plus long.',
  merge_conflict: 'Les modifications se contredisent. Résolvez le conflit, puis réessayez.',
  cannot_undo: 'Cela ne peut pas être annulé ; rien n’a changé.',
  git_failed: 'Git a échoué sur le serveur. Voyez le détail.',
  command_failed: 'La commande a échoué. Voyez le détail.',
  budget_exhausted: 'Le budget est épuisé. Augmentez-le pour continuer.',
  price_unknown: 'Le prix de ce modèle est inconnu. Indiquez-le, ou choisissez un autre modèle.',
  model_failed: 'Le modèle n’a pas répondu correctement. Réessayez.',
  provider_token_missing:
    'Il manque le jeton d’accès au fournisseur. Ajoutez-le à la configuration du serveur.',
  provider_token_refused:
    'Le fournisseur refuse le jeton d’accès. Remplacez-le dans la configuration du serveur.',
  provider_forbidden:
    'Le jeton d’accès n’a pas le droit de faire cela chez le fournisseur. Étendez ses droits.',
  provider_not_found: 'Le fournisseur ne trouve pas cela. Vérifiez l’adresse et les droits du jeton.',
  provider_refused: 'Le fournisseur a refusé la demande. Voyez le détail.',
  provider_rate_limited: 'Le fournisseur limite les demandes. Attendez, puis réessayez.',
  provider_unavailable: 'Le fournisseur est indisponible. Réessayez plus tard.',
};
