export default function AgentScreen(props: { ws: string; agentId: string }) {
  return <h1>AgentScreen {JSON.stringify(props)}</h1>;
}
