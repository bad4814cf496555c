export default function PlanScreen(props: { ws: string; id: string }) {
  return <h1>PlanScreen {JSON.stringify(props)}</h1>;
}
