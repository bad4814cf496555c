import { texts } from '../i18n/text.ts';

/** What a space is and may, in words; for its dialogs. */
export const spaceText = texts(
  {
    name: 'Name',
    mode: 'What agents do here',
    modes: {
      chat: ['Agent', 'They read, write and run commands, within their approvals.'],
      plan: ['Plan', 'They only look around, then submit a plan for you to approve.'],
      orchestrate: [
        'Orchestrate',
        'They only look around, then propose a team and its tickets for you to approve.',
      ],
      review: ['Review', 'They review a pull request. Set by Control Center.'],
    },
    agents: 'Agents',
    agentsHint: 'Who is in the room. Nobody answers until an agent is.',
    noAgents: 'There is no agent in this workspace yet.',
    repositories: 'Repositories',
    repositoriesHint: 'Folders on the server that agents work on, each in a copy of its own.',
    noRepositories: 'None',
    path: 'Path on the server',
    repositoryName: 'Name',
    addRepository: 'Add a repository',
    removeRepository: (n: number) => `Remove repository ${n}`,
    rules: 'Autonomy and approvals',
    autonomy: 'Autonomy',
    autonomies: {
      proposeOnly: ['Propose only', 'Whatever writes or runs is refused. They think and answer.'],
      actWithApproval: ['Act with approval', 'What the rules ask about waits for one of you.'],
      actFreely: ['Act freely', 'What the rules ask about is allowed. What they deny stays denied.'],
    },
    whenNobody: 'When nobody who may decide is here',
    whenNobodies: {
      refuse: ['Refuse', 'The agent is told and goes on without. You can allow it afterwards.'],
      wait: ['Wait', 'The agent waits until somebody decides.'],
    },
    cancel: 'Cancel',
    close: 'Close',
    needsName: 'Give the space a name.',
  },
  {
    name: 'Nom',
    mode: 'Ce que font les agents ici',
    modes: {
      chat: [
        'Agent',
        'Ils lisent, écrivent et lancent des commandes, dans la limite de leurs autorisations.',
      ],
      plan: ['Plan', 'Ils ne font que regarder, puis soumettent un plan à votre approbation.'],
      orchestrate: [
        'Orchestration',
        'Ils ne font que regarder, puis proposent une équipe et ses tickets à votre approbation.',
      ],
      review: ['Revue', 'Ils relisent une pull request. Choisi par Control Center.'],
    },
    agents: 'Agents',
    agentsHint: 'Qui est dans la pièce. Personne ne répond tant qu’aucun agent n’y est.',
    noAgents: 'Il n’y a pas encore d’agent dans cet espace de travail.',
    repositories: 'Dépôts',
    repositoriesHint:
      'Des dossiers du serveur sur lesquels les agents travaillent, chacun dans sa propre copie.',
    noRepositories: 'Aucun',
    path: 'Chemin sur le serveur',
    repositoryName: 'Nom',
    addRepository: 'Ajouter un dépôt',
    removeRepository: (n: number) => `Retirer le dépôt ${n}`,
    rules: 'Autonomie et accords',
    autonomy: 'Autonomie',
    autonomies: {
      proposeOnly: [
        'Proposer seulement',
        'Tout ce qui écrit ou exécute est refusé. Ils réfléchissent et répondent.',
      ],
      actWithApproval: ['Agir avec accord', 'Ce que les règles soumettent à question attend l’un de vous.'],
      actFreely: [
        'Agir librement',
        'Ce que les règles soumettent à question est permis. Ce qu’elles interdisent reste interdit.',
      ],
    },
    whenNobody: 'Quand personne qui puisse décider n’est là',
    whenNobodies: {
      refuse: ['Refuser', 'L’agent en est informé et continue sans. Vous pourrez l’autoriser ensuite.'],
      wait: ['Attendre', 'L’agent attend que quelqu’un décide.'],
    },
    cancel: 'Annuler',
    close: 'Fermer',
    needsName: 'Donnez un nom à l’espace.',
  },
);
