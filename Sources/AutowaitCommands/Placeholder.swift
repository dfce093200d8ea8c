import Autowait
