import type { Dictionary } from './dictionary.ts';

/**
 * The reader is “você”. An app is “aplicativo”, access “acesso”, a booking “agendamento”, an event
 * type “tipo de evento”, a host “anfitrião”, an attendee “participante”, a passkey “chave de
 * acesso”, a sign-in “login”, a request “solicitação”. People “entram” and “saem”.
 */
export const portuguese = {
  // The frame of all pages:
  'Skip to content': 'Ir para o conteúdo',
  'Error:': 'Erro:',
  'API documentation': 'Documentação da API',
  Language: 'Idioma',
  'Change language': 'Mudar idioma',
  'Browser’s language': 'Idioma do navegador',
  Main: 'Principal',
  Menu: 'Menu',
  Account: 'Conta',
  Docs: 'Documentação',
  'Sign in': 'Entrar',
  'Sign out': 'Sair',
  'Sign out of {service}?': 'Sair do {service}?',
  '{app} asks you to sign out of {service}, too.': '{app} pede que você saia também do {service}.',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'Isso encerra sua sessão neste navegador. Os aplicativos mantêm o acesso que você aprovou.',
  'Stay signed in': 'Continuar conectado',
  'You’re signed out': 'Você saiu',
  'You can close this page.': 'Você pode fechar esta página.',
  waiting: 'em espera',
  'Go to home': 'Ir para o início',
  Settings: 'Configurações',
  'All settings': 'Todas as configurações',
  Admin: 'Administração',
  Profile: 'Perfil',
  Sessions: 'Sessões',
  'Account activity': 'Atividade da conta',
  'Your data': 'Seus dados',
  People: 'Pessoas',
  Teams: 'Equipes',
  Organization: 'Organização',
  Overview: 'Visão geral',
  Accounts: 'Contas',
  'Audit log': 'Registro de auditoria',
  'Outgoing email': 'E-mails de saída',
  Apps: 'Aplicativos',
  Developer: 'Desenvolvedores',
  'Connected apps': 'Aplicativos conectados',
  'Your apps': 'Seus aplicativos',
  Review: 'Revisão',
  Security: 'Segurança',
  'Personal tokens': 'Tokens pessoais',
  Scheduling: 'Agendamento',
  Bookings: 'Agendamentos',
  'Event types': 'Tipos de evento',
  Schedules: 'Programações',
  Availability: 'Disponibilidade',
  Calendars: 'Calendários',
  Webhooks: 'Webhooks',
  // Sign-in and sign-up:
  'Email address': 'E-mail',
  Password: 'Senha',
  Name: 'Nome',
  'Sign in with a passkey': 'Entrar com uma chave de acesso',
  'Forgot your password?': 'Esqueceu sua senha?',
  'New here?': 'Primeira vez aqui?',
  'Create an account': 'Criar uma conta',
  'Create account': 'Criar conta',
  'Already have an account?': 'Já tem uma conta?',
  'The first account administers this installation: create yours now.':
    'A primeira conta administra esta instalação: crie a sua agora.',
  'Sign-ups are closed. Ask your administrator for an account.':
    'Os cadastros estão fechados. Peça uma conta ao seu administrador.',
  'At least 10 characters. A few random words work well.':
    'Pelo menos 10 caracteres. Algumas palavras aleatórias funcionam bem.',
  'Sign in to continue to {app}': 'Entre para continuar em {app}',
  'Create an account to continue to {app}': 'Crie uma conta para continuar em {app}',
  'Enter your password to continue to {app}': 'Digite sua senha para continuar em {app}',
  'Reset your password to continue to {app}': 'Redefina sua senha para continuar em {app}',
  'Sign in to continue to the app.': 'Entre para continuar no aplicativo.',
  'Create an account to continue to the app.': 'Crie uma conta para continuar no aplicativo.',
  'Enter your password to continue to the app.': 'Digite sua senha para continuar no aplicativo.',
  'Reset your password to continue to the app.': 'Redefina sua senha para continuar no aplicativo.',
  'Sign in to continue.': 'Entre para continuar.',
  'Create an account to continue.': 'Crie uma conta para continuar.',
  'Enter your password to continue.': 'Digite sua senha para continuar.',
  'Reset your password to continue.': 'Redefina sua senha para continuar.',
  'Sign in to answer your invitation.': 'Entre para responder ao seu convite.',
  'Create an account to answer your invitation.': 'Crie uma conta para responder ao seu convite.',
  'Enter your password to answer your invitation.': 'Digite sua senha para responder ao seu convite.',
  'Reset your password to answer your invitation.': 'Redefina sua senha para responder ao seu convite.',
  'You’re signed in': 'Você entrou na sua conta',
  Continue: 'Continuar',
  'Your account is suspended': 'Sua conta está suspensa',
  'An admin suspended it for this reason:': 'Um administrador a suspendeu por este motivo:',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'Você não pode entrar, e seus aplicativos e páginas públicas não funcionam. Se achar que é um engano, fale com os responsáveis por este serviço.',
  'Incorrect email or password.': 'E-mail ou senha incorretos.',
  'Incorrect password.': 'Senha incorreta.',
  'Too many failed sign-ins.': 'Excesso de tentativas de login malsucedidas.',
  'If you can’t wait, reset your password.': 'Se não puder esperar, redefina sua senha.',
  'Try again in a minute.': 'Tente novamente em um minuto.',
  'Try again in {minutes} {minutes|minute|minutes}.':
    'Tente novamente em {minutes} {minutes|minuto|minutos}.',
  'An account with this email already exists. Sign in instead.':
    'Já existe uma conta com este e-mail. Entre nela.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'Esta senha é fácil de adivinhar. Use algumas palavras sem relação entre si, e não seu e-mail nem seu nome de usuário.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'Seu navegador não guardou o cookie que mantém você conectado. Permita cookies para este site e entre novamente.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'Sua sessão foi encerrada, então este formulário não foi salvo. Preencha-o novamente.',
  'What you typed is kept, and sent once you’ve confirmed.':
    'O que você digitou foi mantido e será enviado assim que você confirmar.',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'Sua sessão foi encerrada. O que você digitou foi mantido e será enviado assim que você entrar.',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    'Você faz parte destas equipes e organizações. Se não conhecer alguma, saia dela depois de entrar: outra pessoa pode ter entrado nela por você.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'Você confirmou que é você. Nada foi alterado ainda: envie este formulário novamente.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.': 'Enviaremos por e-mail um link para você escolher uma nova.',
  'Email me a link': 'Enviar link por e-mail',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'Não há servidor de e-mail configurado aqui, então não podemos enviar um link. Fale com seu administrador.',
  'Back to sign in': 'Voltar ao login',
  'Check your email': 'Verifique seu e-mail',
  'Email isn’t set up': 'O e-mail não está configurado',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'Se houver uma conta com este e-mail, enviamos um link para ele. O link funciona por 30 minutos.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou confira o endereço e [tente novamente]. Você pode pedir até três e-mails a cada 30 minutos.',
  'Choose a new password': 'Escolha uma nova senha',
  'For the account {email}. You’ll be signed out everywhere else.':
    'Para a conta {email}. Sua sessão será encerrada em todos os outros lugares.',
  'New password': 'Nova senha',
  'Keep what’s in this account': 'Manter o que há nesta conta',
  'Keep {things}': 'Manter: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'Se você não marcar esta caixa: {consequences}. Marque-a somente se ninguém mais puder ter usado sua conta.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'Outra pessoa pode ter se cadastrado com seu endereço. Se você não marcar esta caixa, perderá o seguinte: {things}. Marque-a somente se foi você quem criou a conta.',
  'Set new password': 'Definir nova senha',
  apps: 'aplicativos',
  webhooks: 'webhooks',
  'personal tokens': 'tokens pessoais',
  'the chosen calendar': 'o calendário escolhido',
  calendars: 'calendários',
  teams: 'equipes',
  'connected apps, the account’s own apps': 'aplicativos conectados, aplicativos da própria conta',
  'open invitations of owners and admins are withdrawn':
    'os convites pendentes para ser proprietário ou administrador são cancelados',
  'every app loses its access and needs your permission again':
    'todos os aplicativos perdem o acesso e precisam da sua permissão novamente',
  'your personal tokens end': 'seus tokens pessoais são encerrados',
  'webhooks are turned off': 'os webhooks são desativados',
  'bookings are no longer written to a calendar': 'os agendamentos deixam de ser gravados em um calendário',
  'This link doesn’t work': 'Este link não funciona',
  'This link has expired or was already used.': 'Este link expirou ou já foi usado.',
  'Request a new link': 'Pedir um novo link',
  // Verification:
  'Verify your email to continue': 'Confirme seu e-mail para continuar',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'Precisamos saber que {email} é o seu endereço. Abra o link que enviamos por e-mail quando você se cadastrou, ou peça um novo. Depois você volta a esta etapa.',
  'Not your address?': 'Não é o seu endereço?',
  'Change email address': 'Alterar e-mail',
  'Verify email address': 'Confirmar e-mail',
  'Change your email address': 'Altere seu e-mail',
  'Verify your email address': 'Confirme seu e-mail',
  'Send new link': 'Enviar novo link',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'Enviamos um link para {email}. Abra-o neste navegador para confirmar seu endereço. Ele funciona uma única vez, por 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou peça um novo link.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'Enviamos um e-mail para você. Abra o link dele neste navegador para confirmar seu endereço e entrar. Ele funciona uma única vez, por 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou entre para pedir um novo link.',
  'Your account will use {email}. You sign in with this address from then on.':
    'Sua conta passará a usar {email}. A partir de então, você entra com este endereço.',
  'You use {email} for your account.': 'Você usa {email} na sua conta.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'Este link não é para a conta de {email}. Saia e entre com a conta que pediu o link.',
  'Sign in with your current address to change it to {email}.':
    'Entre com seu endereço atual para alterá-lo para {email}.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'Se você não pediu isto, feche esta página: nada será alterado.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'Entre para confirmar {email}. Assim, ninguém mais pode criar uma conta com seu endereço.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'Se você não sabe a senha, [redefina-a]: isso também confirma seu endereço. Se você não se cadastrou, feche esta página: sem você, a conta não pode fazer nada.',
  'This link has expired, was already used, or was replaced by a newer one.':
    'Este link expirou, já foi usado ou foi substituído por um mais recente.',
  'Go to your profile': 'Ir para seu perfil',
  // Confirmation and passkeys:
  'Confirm it’s you': 'Confirme que é você',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'Você entrou há algum tempo. Antes de {act}, digite sua senha novamente.',
  Confirm: 'Confirmar',
  'Use your passkey instead': 'Usar sua chave de acesso',
  'make a sensitive change': 'fazer uma alteração sensível',
  'give {app} full access to your account': 'dar a {app} acesso total à sua conta',
  'give {app} access to your account': 'dar a {app} acesso à sua conta',
  'change your email address': 'alterar seu e-mail',
  'change your password': 'alterar sua senha',
  'download your data': 'baixar seus dados',
  'delete your account': 'excluir sua conta',
  'delete an app': 'excluir um aplicativo',
  'add a client secret': 'adicionar um segredo do cliente',
  'change how you sign in': 'alterar como você entra',
  'create a personal token': 'criar um token pessoal',
  'Use your passkey': 'Use sua chave de acesso',
  'Use passkey': 'Usar chave de acesso',
  'Passkeys need JavaScript and a browser that supports them.':
    'Chaves de acesso precisam de JavaScript e de um navegador compatível.',
  'Your browser didn’t use a passkey. Try again.':
    'Seu navegador não usou uma chave de acesso. Tente novamente.',
  'Your password is right. Confirm with one of your passkeys.':
    'Sua senha está correta. Confirme com uma das suas chaves de acesso.',
  'Your browser shows the passkeys you have for {service}.':
    'Seu navegador mostra as chaves de acesso que você tem para {service}.',
  'No passkey at hand?': 'Sem uma chave de acesso à mão?',
  'Recovery code': 'Código de recuperação',
  'You saved 10 of them when you added your first passkey.':
    'Você salvou 10 deles quando adicionou sua primeira chave de acesso.',
  'Use recovery code': 'Usar código de recuperação',
  'Start over': 'Recomeçar',
  'Use your password instead': 'Usar sua senha',
  'Enter a recovery code.': 'Digite um código de recuperação.',
  'This recovery code is wrong, or was used before.':
    'Este código de recuperação está errado ou já foi usado.',
  'Your browser didn’t send a passkey. Try again.':
    'Seu navegador não enviou uma chave de acesso. Tente novamente.',
  'This passkey didn’t work. Try again, or use another one.':
    'Esta chave de acesso não funcionou. Tente novamente ou use outra.',
  'Your password alone doesn’t sign you in': 'Só a sua senha não basta para entrar',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'Sua conta tem uma chave de acesso, e este serviço desativou as chaves de acesso. Peça aos responsáveis que as ativem novamente ou que removam as suas.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'Você recebeu este e-mail por causa da sua conta no {app}. Se não o esperava, entre e confira suas configurações.',
  'Or open': 'Ou abra',
  // Booking pages:
  '{hours} {hours|hour|hours}': '{hours} {hours|hora|horas}',
  '{minutes} {minutes|minute|minutes}': '{minutes} {minutes|minuto|minutos}',
  '{hours} {minutes}': '{hours} e {minutes}',
  '{kind}: {place}': '{kind}: {place}',
  '{label} (optional)': '{label} (opcional)',
  '{event} with {names}': '{event} com {names}',
  '{event} between {hosts} and {attendee}': '{event} entre {hosts} e {attendee}',
  'one of {names}': 'uma destas pessoas: {names}',
  '{count} {count|other|others}': 'mais {count} {count|pessoa|pessoas}',
  'The host confirms each booking': 'O anfitrião confirma cada agendamento',
  'The host will tell you where': 'O anfitrião informará o local',
  'Book {name}': 'Agende com {name}',
  'Choose an event type and a time that suits you.':
    'Escolha um tipo de evento e o horário que for melhor para você.',
  'Choose an event type to book.': 'Escolha um tipo de evento para agendar.',
  Length: 'Duração',
  'No event types yet': 'Ainda não há tipos de evento',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'Será possível agendar com {team} aqui quando houver um tipo de evento. Até lá, só os membros veem esta página.',
  'Create event type': 'Criar tipo de evento',
  'View team': 'Ver equipe',
  'Event type not found': 'Tipo de evento não encontrado',
  'The link may be wrong, or its host removed this event type.':
    'O link pode estar errado ou o anfitrião pode ter removido este tipo de evento.',
  'See what {name} offers': 'Ver o que {name} oferece',
  'Time zone': 'Fuso horário',
  'Change time zone': 'Mudar fuso horário',
  Months: 'Meses',
  'Days with available times in {month}': 'Dias com horários disponíveis em {month}',
  today: 'hoje',
  '{count} {count|time|times}': '{count} {count|horário|horários}',
  'No times are available.': 'Não há horários disponíveis.',
  'We can’t load available times right now. Try again in a few minutes.':
    'Não é possível carregar os horários disponíveis agora. Tente novamente em alguns minutos.',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    'Não é possível ler o calendário do anfitrião, então ninguém pode agendar no momento. Já avisamos o anfitrião.',
  'Try again': 'Tentar novamente',
  'No times available in {month}.': 'Não há horários disponíveis em {month}.',
  'View {month}': 'Ver {month}',
  'Later months can’t be booked yet.': 'Os meses seguintes ainda não podem ser agendados.',
  'No times available on this day. Choose another one.':
    'Não há horários disponíveis neste dia. Escolha outro.',
  Times: 'Horários',
  'Choose a day to see available times.': 'Escolha um dia para ver os horários disponíveis.',
  'No times this month.': 'Não há horários neste mês.',
  'We don’t know that time zone. Times are shown in {zone}.':
    'Não conhecemos esse fuso horário. Os horários são mostrados em {zone}.',
  'That day can’t be booked. Choose another one.': 'Esse dia não pode ser agendado. Escolha outro.',
  'Choose another time': 'Escolher outro horário',
  'Choose another day': 'Escolher outro dia',
  'Other times on this day': 'Outros horários neste dia',
  'No other times on this day.': 'Não há outros horários neste dia.',
  'Book this time': 'Agendar este horário',
  'Request this time': 'Solicitar este horário',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    'Enviaremos a confirmação e um link para reagendar ou cancelar.',
  'Visible to the host. This server can’t send email.':
    'Visível para o anfitrião. Este servidor não pode enviar e-mails.',
  'Visible to the host.': 'Visível para o anfitrião.',
  'Notes (optional)': 'Observações (opcional)',
  'Guests (optional)': 'Convidados (opcional)',
  'Reason (optional)': 'Motivo (opcional)',
  'Email addresses, one per line.': 'E-mails, um por linha.',
  'Email addresses, one per line, up to 10.': 'E-mails, um por linha, até 10.',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'E-mails, um por linha, até 10. Os convidados serão avisados.',
  Where: 'Local',
  'Where: {place}': 'Local: {place}',
  'Choose where.': 'Escolha o local.',
  'In person': 'Presencial',
  Online: 'Online',
  'Phone call': 'Chamada telefônica',
  'At your address': 'No seu endereço',
  'Phone call to your number': 'Chamada para o seu número',
  'At a place you choose': 'Em um local à sua escolha',
  'Your address': 'Seu endereço',
  'Your phone number': 'Seu número de telefone',
  Place: 'Local',
  'Your address, phone number or place': 'Seu endereço, número de telefone ou local',
  'Needed for: {places}.': 'Necessário para: {places}.',
  'Enter your address.': 'Digite seu endereço.',
  'Enter a phone number such as +49 30 123456.': 'Digite um número de telefone como +49 30 123456.',
  'Enter a place.': 'Digite um local.',
  'Choose…': 'Escolher…',
  Yes: 'Sim',
  'Too many bookings from your network. Try again in a minute.':
    'Agendamentos demais a partir da sua rede. Tente novamente em um minuto.',
  'We can’t check available times right now. Try again in a minute.':
    'Não é possível verificar os horários disponíveis agora. Tente novamente em um minuto.',
  'This host can’t take more bookings today. Try again tomorrow.':
    'Este anfitrião não pode receber mais agendamentos hoje. Tente novamente amanhã.',
  'This time is no longer available. Choose another one.':
    'Este horário não está mais disponível. Escolha outro.',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'Este horário não está mais disponível. Escolha outro. Se você acabou de agendá-lo, está tudo certo.',
  'You already made a booking with this form. To make another one, choose another time.':
    'Você já fez um agendamento com este formulário. Para fazer outro, escolha outro horário.',
  Booked: 'Agendado',
  Pending: 'Pendente',
  Past: 'Encerrado',
  Rescheduled: 'Reagendado',
  Cancelled: 'Cancelado',
  Declined: 'Recusado',
  'You’re booked.': 'Seu agendamento está confirmado.',
  'The host still has to confirm this booking.': 'O anfitrião ainda precisa confirmar este agendamento.',
  'This booking is over and can’t be changed.': 'Este agendamento já passou e não pode ser alterado.',
  'This booking was never confirmed, and its time is over.':
    'Este agendamento nunca foi confirmado, e o horário já passou.',
  'This booking was rescheduled.': 'Este agendamento foi reagendado.',
  'This booking was cancelled.': 'Este agendamento foi cancelado.',
  'The host declined this booking.': 'O anfitrião recusou este agendamento.',
  With: 'Com',
  Join: 'Participar',
  'Booked by': 'Agendado por',
  Guests: 'Convidados',
  Notes: 'Observações',
  Reason: 'Motivo',
  'Reason for rescheduling': 'Motivo do reagendamento',
  'Rescheduled from {time}.': 'Reagendado; antes: {time}.',
  'New time:': 'Novo horário:',
  'Add to calendar:': 'Adicionar ao calendário:',
  '.ics file': 'arquivo .ics',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    'Enviamos uma confirmação para {email}. Use o link que está nela para voltar a esta página.',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    'Enviamos os detalhes para {email}. Use o link do e-mail para voltar a esta página.',
  'This server can’t send email. Save the address of this page to come back.':
    'Este servidor não pode enviar e-mails. Salve o endereço desta página para voltar.',
  Reschedule: 'Reagendar',
  'Cancel booking': 'Cancelar agendamento',
  'Keep booking': 'Manter agendamento',
  'Book another time': 'Agendar outro horário',
  'Join the meeting': 'Participar da reunião',
  'Link set by': 'Link de',
  'Leads to': 'Leva a',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'Esse site não faz parte do {app}. Nunca digite nele sua senha do {app}.',
  'Continue to {host}': 'Continuar para {host}',
  'This meeting doesn’t take place': 'Esta reunião não vai acontecer',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    'Ela já terminou, ou foi cancelada ou reagendada. Um e-mail mais recente tem o novo horário e o link.',
  'Cancel this booking?': 'Cancelar este agendamento?',
  'All attendees will be notified and the time reopens.':
    'Todos os participantes serão avisados, e o horário ficará disponível de novo.',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'O horário ficará disponível de novo. Este servidor não pode enviar e-mails, então ninguém será avisado.',
  'Reschedule: {title}': 'Reagendar: {title}',
  'Reschedule booking': 'Reagendar',
  'Your booking': 'Seu agendamento',
  'Choose a new time': 'Escolha um novo horário',
  'Currently {time}': 'Atualmente: {time}',
  '{title}, currently {time}': '{title}, atualmente: {time}',
  'Reschedule to this time?': 'Reagendar para este horário?',
  'The host has to confirm the new time. The current time is released immediately.':
    'O anfitrião precisa confirmar o novo horário. O atual é liberado imediatamente.',
  'Keep current time': 'Manter o horário atual',
  'Enter a name without web addresses.': 'Digite um nome sem endereços da web.',
  'Enter text.': 'Digite um texto.',
  'Enter up to {number} guests.': 'Informe no máximo {number} convidados.',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '“{text}” não é um e-mail válido. Digite um por linha.',
  'Shorten this text.': 'Encurte este texto.',
  'Check this box.': 'Marque esta caixa.',
  'Choose an option.': 'Escolha uma opção.',
  'Answer this question.': 'Responda a esta pergunta.',
  'Enter email addresses, one per line.': 'Digite e-mails, um por linha.',
  'Choose from the options.': 'Escolha entre as opções.',
  'Choose one of the options.': 'Escolha uma das opções.',
  'Enter a number.': 'Digite um número.',
  'Enter a phone number.': 'Digite um número de telefone.',
  'Enter a link that begins with https://.': 'Digite um link que comece com https://.',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject}: {title}, {time}',
  'This booking is confirmed.': 'Este agendamento está confirmado.',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'Sua solicitação foi enviada. Enviaremos um e-mail quando o anfitrião a confirmar ou recusar.',
  'New request': 'Nova solicitação',
  'Someone wants to book this time with you. Confirm or decline it.':
    'Alguém quer agendar este horário com você. Confirme ou recuse.',
  'Rescheduled by': 'Reagendado por',
  'Rescheduled and confirmed': 'Reagendado e confirmado',
  'This booking was rescheduled and is confirmed.': 'Este agendamento foi reagendado e está confirmado.',
  'New time pending': 'Novo horário pendente',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    'Você reagendou este agendamento. O anfitrião precisa confirmar o novo horário; o anterior foi liberado.',
  'New time requested': 'Novo horário solicitado',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    'O participante reagendou este agendamento. Confirme ou recuse o novo horário; o anterior está livre de novo.',
  'No longer at this time': 'Não é mais neste horário',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'Este agendamento não acontece mais neste horário. Se o anfitrião confirmar um novo horário, enviaremos um e-mail.',
  Confirmed: 'Confirmado',
  'The host confirmed this booking.': 'O anfitrião confirmou este agendamento.',
  'Cancelled by': 'Cancelado por',
  'New host': 'Novo anfitrião',
  'This booking has a new host.': 'Este agendamento tem um novo anfitrião.',
  'This booking has a new host, who still has to confirm it.':
    'Este agendamento tem um novo anfitrião, que ainda precisa confirmá-lo.',
  'Assigned to you': 'Atribuído a você',
  'You now host this booking.': 'Agora você é o anfitrião deste agendamento.',
  'You now host this booking. Confirm or decline it.':
    'Agora você é o anfitrião deste agendamento. Confirme ou recuse.',
  Reassigned: 'Reatribuído',
  'This booking was reassigned to another host.': 'Este agendamento foi atribuído a outro anfitrião.',
  'View booking': 'Ver agendamento',
  'Confirm or decline booking': 'Confirmar ou recusar agendamento',
  'Reschedule or cancel booking': 'Reagendar ou cancelar',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'Você recebeu este e-mail porque alguém fez um agendamento com este endereço. Se não foi você, ignore-o.',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'Você recebeu este e-mail porque alguém fez um agendamento com este endereço. Se não foi você, use o link para cancelá-lo.',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'Você recebeu este e-mail porque alguém adicionou você como convidado. Se não sabe por quê, ignore-o.',
  'the rest is on the booking’s page': 'o restante está na página do agendamento',
  'the host': 'o anfitrião',
  '{name} (attendee)': '{name} (participante)',
  What: 'O quê',
  'Previous time': 'Horário anterior',
  'The address you entered': 'O endereço que você digitou',
  'The phone number you entered': 'O número de telefone que você digitou',
  'The place you entered': 'O local que você digitou',
  // What is wrong with a form:
  'Enter an email address.': 'Digite um e-mail.',
  'Enter a valid email address.': 'Digite um e-mail válido.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'Use um endereço que não tenha “+” e 25 letras ou dígitos logo antes do @.',
  'Enter a password.': 'Digite uma senha.',
  'Enter your password.': 'Digite sua senha.',
  'Enter your name.': 'Digite seu nome.',
  'Use at least {number} characters.': 'Use pelo menos {number} caracteres.',
  'Use at most {number} characters.': 'Use no máximo {number} caracteres.',
  'The NUL character isn’t allowed.': 'O caractere NUL não é permitido.',
  'Line breaks and control characters aren’t allowed.':
    'Quebras de linha e caracteres de controle não são permitidos.',
  'Control characters aren’t allowed.': 'Caracteres de controle não são permitidos.',
  'Remove characters that change the text direction.': 'Remova os caracteres que mudam a direção do texto.',
  'Use visible characters.': 'Use caracteres visíveis.',
  // Consent:
  'Allow {app}?': 'Permitir {app}?',
  '{app} wants access to your {service} account': '{app} quer acesso à sua conta no {service}',
  'Sign in to {app}': 'Entrar em {app}',
  'No website given': 'Nenhum site informado',
  'Reviewed by {service}': 'Revisado por {service}',
  'You approved this app on {date}.': 'Você aprovou este aplicativo em {date}.',
  'It’s asking for different permissions this time.': 'Desta vez ele pede permissões diferentes.',
  'Signed in as': 'Você entrou como',
  'Use another account': 'Usar outra conta',
  '{app} asks you to sign in as {email}.': '{app} pede que você entre como {email}.',
  '{app} asks you to sign in with another account.': '{app} pede que você entre com outra conta.',
  'You’re signed in as {email}.': 'Você entrou como {email}.',
  'Back to the app': 'Voltar ao aplicativo',
  'It gets access to the team {team}.': 'Ele terá acesso à equipe {team}.',
  'Access to': 'Acesso a',
  '{name} (you)': '{name} (você)',
  '{name} (team)': '{name} (equipe)',
  '{app} will be able to:': '{app} poderá:',
  '{app} won’t be able to:': '{app} não poderá:',
  Read: 'Leitura',
  New: 'Novo',
  'Read and change': 'Leitura e alteração',
  'This includes the teams that you manage: {teams}.': 'Isso inclui as equipes que você gerencia: {teams}.',
  'Remove access anytime in Settings → Connected apps.':
    'Você pode remover o acesso quando quiser em Configurações → Aplicativos conectados.',
  'This access is for {resources}.': 'Este acesso é para {resources}.',
  'your account': 'sua conta',
  'Don’t ask again for {app}': 'Não perguntar novamente para {app}',
  'You’ll be redirected to {host}': 'Você será redirecionado para {host}',
  'You’ll be redirected to an app on this device: {host}':
    'Você será redirecionado para um aplicativo neste dispositivo: {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'Você será redirecionado para um aplicativo neste dispositivo: {host}. Permita somente se foi você quem o iniciou.',
  Deny: 'Recusar',
  Allow: 'Permitir',
  'Opening {app}…': 'Abrindo {app}…',
  'You can close this page once it’s open.': 'Você pode fechar esta página quando ele abrir.',
  'You’ve already allowed this': 'Você já permitiu isto',
  'The app has the access that you approved. Go back to the app.':
    'O aplicativo tem o acesso que você aprovou. Volte ao aplicativo.',
  'View connected apps': 'Ver aplicativos conectados',
  'This page has expired': 'Esta página expirou',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    'Ela foi aberta há muito tempo ou já foi usada, ou você entrou de novo desde então. Seu clique não alterou nada.',
  'View the request again': 'Ver a solicitação novamente',
  'Invalid request': 'Solicitação inválida',
  'Part of the address is repeated, too long or damaged.':
    'Parte do endereço está repetida, é longa demais ou está danificada.',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'Volte ao aplicativo e tente novamente. Se continuar acontecendo, fale com o desenvolvedor.',
  'Unknown app': 'Aplicativo desconhecido',
  'The address names no registered app.': 'O endereço não corresponde a nenhum aplicativo registrado.',
  'This app isn’t available': 'Este aplicativo não está disponível',
  'It isn’t approved at the moment.': 'No momento ele não está aprovado.',
  'Contact the developer.': 'Fale com o desenvolvedor.',
  'Incomplete request': 'Solicitação incompleta',
  'It doesn’t say where to send you afterwards.': 'Ela não diz para onde enviar você depois.',
  'The redirect URI doesn’t match': 'O URI de redirecionamento não corresponde',
  'The app asked to send you to an address that it hasn’t registered.':
    'O aplicativo pediu para enviar você a um endereço que ele não registrou.',
  'Your click changed nothing.': 'Seu clique não alterou nada.',
  'Nothing was shared.': 'Nada foi compartilhado.',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    'É o seu aplicativo? Entre com a conta que o registrou e abra este endereço novamente para ver o que corrigir.',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    'Está desenvolvendo este aplicativo? Envie cada parâmetro uma única vez, em UTF-8, com no máximo 2.048 caracteres (state: 4.096).',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    'Está desenvolvendo este aplicativo? Verifique se client_id é o ID de cliente da página do seu aplicativo ou o endereço https completo do documento de metadados dele.',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    'Está desenvolvendo este aplicativo? Verifique se client_id é o ID de cliente da página do seu aplicativo.',
  'This is your app: {app}': 'Este é o seu aplicativo: {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'Seu aplicativo está em revisão. Os usuários não podem conectá-lo até que seja aprovado.',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'Seu aplicativo não está aprovado. A página dele diz por quê e como reenviá-lo.',
  'View app': 'Ver aplicativo',
  'Redirect URI in this request:': 'URI de redirecionamento nesta solicitação:',
  'None.': 'Nenhum.',
  'Registered redirect URIs (send one of them, character for character):':
    'URIs de redirecionamento registrados (envie um deles, caractere por caractere):',
  'Edit app': 'Editar aplicativo',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'Usar sua conta para fazer seu login',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'Usar sua conta para fazer seu login e ver seu nome, endereço de e-mail, nome de usuário, fuso horário e idioma, e quando foram alterados pela última vez',
  'Use your account to sign you in, and see your email address':
    'Usar sua conta para fazer seu login e ver seu endereço de e-mail',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'Usar sua conta para fazer seu login e ver seu nome, nome de usuário, fuso horário e idioma, e quando foram alterados pela última vez',
  'See your password, or change how you sign in': 'Ver sua senha ou alterar como você entra',
  'Change your email address, your teams or your other apps':
    'Alterar seu endereço de e-mail, suas equipes ou seus outros aplicativos',
  'See your name, email address, username and time zone, and your teams with their members':
    'Ver seu nome, endereço de e-mail, nome de usuário e fuso horário, e suas equipes com os membros delas',
  'See your name, email address, username and time zone, and the members of the team':
    'Ver seu nome, endereço de e-mail, nome de usuário e fuso horário, e os membros da equipe',
  'See or change your profile, or see your teams': 'Ver ou alterar seu perfil, ou ver suas equipes',
  'Change your profile, or see your teams': 'Alterar seu perfil ou ver suas equipes',
  'See or change your own bookings, schedules and calendars':
    'Ver ou alterar seus próprios agendamentos, programações e calendários',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'Ver seu perfil com seu endereço de e-mail, e suas equipes com os membros delas; alterar seu nome, fuso horário, programação padrão e como os horários são mostrados',
  'Change your name, time zone or default schedule': 'Alterar seu nome, fuso horário ou programação padrão',
  'See your event types': 'Ver seus tipos de evento',
  'See, create, change and delete the event types of the team':
    'Ver, criar, alterar e excluir os tipos de evento da equipe',
  'See the event types of the team': 'Ver os tipos de evento da equipe',
  'See or change your event types': 'Ver ou alterar seus tipos de evento',
  'See, create, change and delete your event types': 'Ver, criar, alterar e excluir seus tipos de evento',
  'Change your event types': 'Alterar seus tipos de evento',
  'See your bookings, with the names, email addresses and answers of people who book you':
    'Ver seus agendamentos, com nomes, endereços de e-mail e respostas das pessoas que agendam com você',
  'See or change your bookings': 'Ver ou alterar seus agendamentos',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'Ver, criar, alterar e cancelar os agendamentos da equipe, com nomes, endereços de e-mail e respostas das pessoas que agendam com ela',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'Ver os agendamentos da equipe, com nomes, endereços de e-mail e respostas das pessoas que agendam com ela',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    'Ver, criar, alterar e cancelar seus agendamentos, com nomes, endereços de e-mail e respostas das pessoas que agendam com você',
  'Create, change or cancel bookings': 'Criar, alterar ou cancelar agendamentos',
  'See your schedules, connected calendars and when you are busy in them':
    'Ver suas programações, seus calendários conectados e seus horários ocupados neles',
  'See the working hours of the members of the team': 'Ver os horários de trabalho dos membros da equipe',
  'See or change your schedules and connected calendars':
    'Ver ou alterar suas programações e seus calendários conectados',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'Ver, criar, alterar e excluir suas programações, conectar e desconectar calendários e ver seus horários ocupados neles',
  'Change your schedules, connect or disconnect calendars':
    'Alterar suas programações, conectar ou desconectar calendários',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'Ver, criar, alterar e excluir suas programações, conectar e desconectar calendários, ver horários ocupados e escolher para onde vão os agendamentos',
  'See your webhooks, and what was sent to them': 'Ver seus webhooks e o que foi enviado a eles',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'Ver, criar, alterar e excluir webhooks da equipe, que enviam os agendamentos dela a outros serviços',
  'See the webhooks of the team, and what was sent to them':
    'Ver os webhooks da equipe e o que foi enviado a eles',
  'See or change your webhooks': 'Ver ou alterar seus webhooks',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'Ver, criar, alterar e excluir seus webhooks, que enviam seus agendamentos a outros serviços',
  'Create, change or delete webhooks': 'Criar, alterar ou excluir webhooks',
  // Connected apps:
  'Remove all access': 'Remover todo o acesso',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'Estes aplicativos têm acesso à sua conta. Você pode removê-lo quando quiser, com efeito imediato.',
  'No connected apps': 'Nenhum aplicativo conectado',
  'Apps you approve appear here.': 'Os aplicativos que você aprovar aparecem aqui.',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'No momento este aplicativo não está aprovado pelos nossos revisores. Ele não pode usar sua conta até que esteja.',
  'Team {team}': 'Equipe {team}',
  'Your account': 'Sua conta',
  'Connected since {date}, last active {moment}': 'Conectado desde {date}, última atividade: {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'Você não gerencia mais esta equipe, então o aplicativo não tem acesso a ela.',
  'It can': 'Ele pode',
  'Nothing: the app no longer uses the permissions that you approved':
    'Nada: o aplicativo não usa mais as permissões que você aprovou',
  'For {resources}': 'Para {resources}',
  'Not connected at the moment.': 'Não conectado no momento.',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    'Ele pode se conectar à equipe {team} sem perguntar a você. Você escolheu isto em {date}.',
  'It can connect to your account without asking you. You chose this on {date}.':
    'Ele pode se conectar à sua conta sem perguntar a você. Você escolheu isto em {date}.',
  'Ask me every time': 'Perguntar sempre',
  'Remove access': 'Remover acesso',
  'for {app}': 'para {app}',
  Previous: 'Anterior',
  Next: 'Próximo',
  Pages: 'Páginas',
  'No apps have access to your account.': 'Nenhum aplicativo tem acesso à sua conta.',
  '{count} {count|app has|apps have} access to your account. If you remove it:':
    '{count} {count|aplicativo tem|aplicativos têm} acesso à sua conta. Se você o remover:',
  'No app can use your account or your teams, effective immediately.':
    'Nenhum aplicativo poderá usar sua conta ou suas equipes, com efeito imediato.',
  'Apps will need your permission again.': 'Os aplicativos precisarão da sua permissão novamente.',
  'Your own tokens for the API end, too.': 'Seus próprios tokens da API também são encerrados.',
  'Anything that they created stays.': 'Tudo o que eles criaram permanece.',
  Cancel: 'Cancelar',
  'Access removed. The app can no longer use your account.':
    'Acesso removido. O aplicativo não pode mais usar sua conta.',
  'All access removed. No app can use your account.':
    'Todo o acesso removido. Nenhum aplicativo pode usar sua conta.',
  'The app will ask you every time from now on.': 'O aplicativo vai perguntar sempre a partir de agora.',
  // Emails of accounts and consent:
  'Unknown browser': 'Navegador desconhecido',
  '{browser} on {system}': '{browser} no {system}',
  'You get this email because someone entered your address on our site.':
    'Você recebeu este e-mail porque alguém informou seu endereço em nosso site.',
  'Someone uses this email address for an account. If it was you:':
    'Alguém usa este e-mail em uma conta. Se foi você:',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'O link funciona uma única vez, por 24 horas. Se não foi você, ignore este e-mail: a conta não pode fazer nada com seu endereço.',
  'You already have an account': 'Você já tem uma conta',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'Alguém tentou se cadastrar com seu e-mail. Você já tem uma conta com ele.',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'Se foi você, entre ou redefina sua senha. Se não foi, não é preciso fazer nada: nada foi alterado.',
  'Reset password': 'Redefinir senha',
  'Your email address already has an account': 'Seu e-mail já tem uma conta',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'Alguém tentou se cadastrar com seu e-mail. Já existe uma conta com ele, que nunca foi confirmada.',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'Para usar essa conta, redefina a senha dela: isso confirma seu endereço e encerra a sessão de todas as outras pessoas. Se você não se cadastrou, não é preciso fazer nada.',
  'Confirm your new email address': 'Confirme seu novo e-mail',
  'Someone wants to use this email address for their account. If it was you:':
    'Alguém quer usar este e-mail na própria conta. Se foi você:',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'O link funciona uma única vez, por 24 horas, onde você estiver com a sessão aberta. Se não foi você, ignore este e-mail: nada será alterado.',
  'Someone tried to use your email address': 'Alguém tentou usar seu e-mail',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'Alguém tentou alterar o e-mail da própria conta para o seu. Ele pertence a outra conta, então nada foi alterado, e o motivo não foi informado.',
  'If this was you, change the address of the account that uses this one first.':
    'Se foi você, altere primeiro o endereço da conta que usa este.',
  'Your email address was changed': 'Seu e-mail foi alterado',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'O e-mail da sua conta foi alterado. A partir de agora, entre com o novo endereço.',
  From: 'Antes',
  To: 'Agora',
  Website: 'Site',
  'none given': 'não informado',
  'Change password': 'Alterar senha',
  'If this was you, no action is needed.': 'Se foi você, não é preciso fazer nada.',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'Se não foi você, outra pessoa sabe sua senha. Entre, altere a senha e depois o endereço. Se não conseguir mais entrar, peça ao seu administrador que suspenda a conta.',
  'Someone signed in to your account with your password, in a new browser.':
    'Alguém entrou na sua conta com sua senha, em um navegador novo.',
  'Someone signed in to your account with your passkey, in a new browser.':
    'Alguém entrou na sua conta com sua chave de acesso, em um navegador novo.',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'Se não foi você, outra pessoa sabe sua senha. Altere-a e encerre as sessões que você não reconhece.',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'Se não foi você, outra pessoa tem sua chave de acesso. Remova-a e encerre as sessões que você não reconhece.',
  'View security settings': 'Ver configurações de segurança',
  'New sign-in to your account': 'Novo login na sua conta',
  When: 'Quando',
  Browser: 'Navegador',
  Address: 'Endereço IP',
  'View sessions': 'Ver sessões',
  'Reset your password': 'Redefina sua senha',
  'Someone asked to reset the password of your account.': 'Alguém pediu para redefinir a senha da sua conta.',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'O link funciona uma única vez, por 30 minutos. Se você não o pediu, ignore este e-mail: sua senha continua a mesma.',
  'Your password was changed': 'Sua senha foi alterada',
  'The password of your account was changed, and you were signed out everywhere else.':
    'A senha da sua conta foi alterada, e sua sessão foi encerrada em todos os outros lugares.',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'Se foi você, não é preciso fazer nada. Se não foi, redefina sua senha agora.',
  'You gave {app} access to your account': 'Você deu a {app} acesso à sua conta',
  'You approved an app:': 'Você aprovou um aplicativo:',
  App: 'Aplicativo',
  For: 'Para',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'Se foi você, não é preciso fazer nada. Se não foi, remova o acesso do aplicativo e altere sua senha.',
  'the team {team}': 'a equipe {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'Esta página está desatualizada',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'Você entrou de novo desde que a abriu. Nada foi salvo ainda, mas o que você digitou foi mantido.',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    'O que você digitou foi mantido aqui. Deixe esta página aberta e envie depois de escolher uma nova senha.',
  'Send it now': 'Enviar agora',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'Você entrou de novo depois de abri-la, então nada foi salvo. Abra a página novamente e tente outra vez.',
  'Open the page again': 'Abrir a página novamente',
  'This form came from another site': 'Este formulário veio de outro site',
  'For your safety, nothing was changed. Open the page here and try again.':
    'Para sua segurança, nada foi alterado. Abra a página aqui e tente novamente.',
  'Page not found': 'Página não encontrada',
  'The link may be wrong, or the page was removed.':
    'O link pode estar errado ou a página pode ter sido removida.',
  'We’ll be back in a moment': 'Voltamos em instantes',
  'Try again in a few seconds.': 'Tente novamente em alguns segundos.',
  'Too many requests': 'Solicitações demais',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'Elas vieram da sua rede. Nada foi alterado. Tente novamente em alguns segundos.',
  'Something went wrong': 'Algo deu errado',
  'It’s our fault. Try again.': 'A falha é nossa. Tente novamente.',
  'This request couldn’t be read': 'Não foi possível ler esta solicitação',
  'Nothing was changed. Go back and try again.': 'Nada foi alterado. Volte e tente novamente.',
  'Nothing was changed.': 'Nada foi alterado.',
  'Try again tomorrow.': 'Tente novamente amanhã.',
  'You, your apps or your network have asked for too much.':
    'Você, seus aplicativos ou sua rede fizeram solicitações demais.',
  'You have made too many changes in one day.': 'Você fez alterações demais em um dia.',
  'You or your network have sent too many emails through us.':
    'Você ou sua rede enviaram e-mails demais por meio do nosso serviço.',
  'This booking has changed too often. You can still cancel it.':
    'Este agendamento mudou vezes demais. Você ainda pode cancelá-lo.',
  'Too many accounts or links were asked for from your network.':
    'Contas ou links demais foram solicitados a partir da sua rede.',
  'Send it again': 'Enviar de novo',
} as const satisfies Dictionary;
